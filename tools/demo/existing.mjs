import { analytics, blog, blogNow, found, store, WEBSITES } from "./records.mjs";

/** @type {readonly import("./story.mjs").Step[]} what to do about records that exist already */
export const existing = [
  {
    title: "Declare a website that exists already",
    about: "It is not created a second time, and not adopted unasked.",
    meanwhile: {
      text: "In the web page, someone adds blog.example.com. It has statistics by now.",
      act: (service) =>
        service.insertWebsite({ domain: "blog.example.com", privacy: 0, email: 1, statistics: true }),
    },
    changes: [
      {
        from: "export const shopId = shop.id;",
        to: 'const blog = new tracking.Website("blog", {\n  domain: "blog.example.com",\n});\n\nexport const shopId = shop.id;',
      },
    ],
    commands: ["up --yes"],
    refused: true,
    says: ["exists already (id 3)", "adopt: true"],
    writes: [],
    holds: { websites: [store, blog], pixels: [{ ...analytics, id: 2 }] },
  },
  {
    title: "Take it over",
    about: "It keeps its id and its statistics; the preview has said what changes on it.",
    changes: [
      { from: '  domain: "blog.example.com",\n', to: '  domain: "blog.example.com",\n  adopt: true,\n' },
    ],
    commands: ["up --yes"],
    says: ["exists already (id 3) and will be taken over", "1 created"],
    writes: [`PUT ${WEBSITES}/3`],
    holds: { websites: [store, blogNow], pixels: [{ ...analytics, id: 2 }] },
  },
  {
    title: "Bring in what no program has yet",
    about: "The rest of the account becomes a program, found.ts. The service is only read.",
    meanwhile: {
      text: "In the web page, someone adds two pixels.",
      act: async (service) => {
        for (const { name, type, value } of found) await service.insertPixel({ name, type, value });
      },
    },
    commands: ["npx pulumi-tracking import --apply --out found.ts"],
    says: ["2 imported", 'import "./found";'],
    writes: [],
    holds: { websites: [store, blogNow], pixels: [{ ...analytics, id: 2 }, ...found] },
  },
  {
    title: "Take that program in",
    changes: [
      {
        from: 'import * as tracking from "pulumi-tracking";',
        to: 'import * as tracking from "pulumi-tracking";\nimport "./found";',
      },
    ],
    commands: ["up --yes"],
    says: ["6 unchanged"],
    writes: [],
    holds: { websites: [store, blogNow], pixels: [{ ...analytics, id: 2 }, ...found] },
  },
];
