// Command program runs one command of the engine on an inline program: a website, a pixel and look-ups.
//
//	program preview|up|destroy made|changed|forgotten|released
package main

import (
	"context"
	"fmt"
	"os"

	"example.com/pulumi-tracking/sdk/go/tracking"
	"github.com/pulumi/pulumi/sdk/v3/go/auto"
	"github.com/pulumi/pulumi/sdk/v3/go/auto/optdestroy"
	"github.com/pulumi/pulumi/sdk/v3/go/auto/optpreview"
	"github.com/pulumi/pulumi/sdk/v3/go/auto/optup"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	if err := run(context.Background(), os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, command, stage string) error {
	program := func(ctx *pulumi.Context) error { return declare(ctx, stage) }
	stack, err := auto.SelectStackInlineSource(ctx, "dev", "fresh", program, auto.WorkDir("."))
	if err != nil {
		return err
	}
	switch command {
	case "preview":
		_, err = stack.Preview(ctx, optpreview.ProgressStreams(os.Stdout))
	case "up":
		_, err = stack.Up(ctx, optup.ProgressStreams(os.Stdout))
	case "destroy":
		_, err = stack.Destroy(ctx, optdestroy.ProgressStreams(os.Stdout))
	default:
		err = fmt.Errorf("there is no command %q", command)
	}
	return err
}

func declare(ctx *pulumi.Context, stage string) error {
	if stage != "forgotten" {
		if err := manage(ctx, stage); err != nil {
			return err
		}
	}
	found, err := tracking.GetItems(ctx)
	if err != nil {
		return err
	}
	names := pulumi.StringArray{}
	for _, item := range found.Items {
		names = append(names, pulumi.String(item.Name))
	}
	ctx.Export("items", names)
	return nil
}

func manage(ctx *pulumi.Context, stage string) error {
	second := "192.0.2.2"
	if stage != "made" {
		second = "192.0.2.3"
	}
	args := &tracking.WebsiteArgs{
		Domain:     pulumi.String("shop.example.com"),
		Privacy:    tracking.PrivacyPassword,
		Password:   pulumi.String("pass word"),
		ExcludeIps: pulumi.ToStringArray([]string{"192.0.2.1", second}),
	}
	if stage == "released" {
		args.DeletionProtection = pulumi.Bool(false)
	}
	shop, err := tracking.NewWebsite(ctx, "shop", args)
	if err != nil {
		return err
	}
	_, err = tracking.NewPixel(ctx, "ga", &tracking.PixelArgs{
		Name:  pulumi.String("GA"),
		Type:  tracking.PixelTypeGoogleAnalytics,
		Value: pulumi.String("G-1"),
	})
	if err != nil {
		return err
	}
	// It waits for the record, so that a preview before it is made asks nothing.
	ctx.Export("domain", tracking.LookupWebsiteOutput(ctx, tracking.LookupWebsiteOutputArgs{
		Id: shop.ID().ToStringOutput().ToStringPtrOutput(),
	}).Domain())
	ctx.Export("privacy", shop.Privacy)
	return nil
}
