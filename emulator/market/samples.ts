import type { Item, Market } from "./records";

/** The address of a file of an item. */
function of(id: number, file: string): string {
  return `https://media.example/${id}/${file}`;
}

type Media = Item["media"];

function item(
  id: number,
  rest: Omit<Item, "id" | "currency" | "media"> & { media: Omit<Media, "thumbnail"> },
): Item {
  return { id, currency: "USD", ...rest, media: { thumbnail: of(id, "thumbnail.png"), ...rest.media } };
}

function bought(id: number, name: string) {
  const media = { preview_image: of(id, "preview.png") };
  return { currency: "USD", item: { id, name, url: `https://market.example/items/${id}`, media } };
}

/** The marketplace without a seed: an item of each kind, and two purchases. */
export const sampleMarket: Market = {
  account: {
    name: { firstname: "Ada", lastname: "Marlow", full_name: "Ada Marlow" },
    username: "ada-marlow",
    email: "ada@shop.example",
    balance: 128.5,
    currency: "USD",
    profile: {
      heading: "Templates and sounds",
      description: "Small things, made with care.",
      contact: { email: "hello@shop.example" },
      social_links: { facebook: "https://facebook.example/ada", x: "https://x.example/ada" },
      media: { avatar: "https://media.example/ada/avatar.png", cover: "https://media.example/ada/cover.png" },
    },
    registered_at: "2021-03-04T05:06:07Z",
  },
  items: [
    item(101, {
      name: "Harbour Theme",
      description: "A theme for small shops.",
      category: "Themes",
      sub_category: "Shops",
      options: ["Responsive", "Dark mode"],
      version: "1.4.2",
      demo_link: "https://demo.example/harbour",
      tags: ["shop", "theme"],
      media: { preview_image: of(101, "preview.png"), screenshots: [of(101, "1.png"), of(101, "2.png")] },
      price: { regular: 29, extended: 149.5 },
      published_at: "2022-01-10T09:00:00Z",
    }),
    item(102, {
      name: "City Timelapse",
      description: "Forty seconds of a city at night.",
      category: "Video",
      sub_category: "Stock footage",
      options: ["4K"],
      version: "1.0.0",
      demo_link: "https://demo.example/timelapse",
      tags: ["city", "night"],
      media: {
        preview_image: of(102, "preview.png"),
        preview_video: of(102, "preview.mp4"),
        screenshots: [],
      },
      price: { regular: 15, extended: 90 },
      published_at: "2022-05-20T12:30:00Z",
    }),
    item(103, {
      name: "Morning Bells",
      description: "A calm loop.",
      category: "Audio",
      sub_category: "Loops",
      options: [],
      version: "2.0.1",
      demo_link: "https://demo.example/bells",
      tags: ["bells", "calm", "loop"],
      media: { preview_audio: of(103, "preview.mp3"), screenshots: [] },
      price: { regular: 8, extended: 40 },
      published_at: "2023-11-02T18:45:00Z",
    }),
  ],
  purchases: [
    {
      ...bought(101, "Harbour Theme"),
      purchase_code: "11111111-aaaa-4bbb-8ccc-000000000001",
      license_type: "Regular",
      price: 29,
      supported_until: "2030-01-01T00:00:00Z",
      downloaded: true,
      date: "2024-02-03T04:05:06Z",
    },
    {
      ...bought(102, "City Timelapse"),
      purchase_code: "11111111-aaaa-4bbb-8ccc-000000000002",
      license_type: "Extended",
      price: 90,
      downloaded: false,
      date: "2024-06-07T08:09:10Z",
    },
  ],
};
