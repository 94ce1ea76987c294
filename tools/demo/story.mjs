/**
 * @typedef {object} Step of the demo
 * @property {string} title
 * @property {string} [about] what to look at
 * @property {{ text: string, act: (service: import("./stage.mjs").Stage["service"]) => void }} [meanwhile]
 *   what someone else does on the service
 * @property {readonly (readonly [from: string, to: string])[]} [changes] edits of the program
 * @property {readonly string[]} commands of `pulumi`, without its name, or of `npx`
 * @property {boolean} [refused] whether the last command must fail
 * @property {readonly string[]} [says] words that a command must print
 * @property {readonly string[]} [writes] every request that may change a record, in any order
 * @property {readonly string[]} holds the records on the service afterwards
 */

const WEBSITES = "/api/v1/websites";
const PIXELS = "/api/v1/pixels";

const SHOP = "website 1: shop.example.com, private, e-mail reports";
const SILENT = "website 1: shop.example.com, private";
const BLOG = "website 2: blog.example.com, private";
const ANALYTICS = "pixel 1: Google Analytics, google-analytics, G-EXAMPLE1";
const AGAIN = ANALYTICS.replace("1", "2");
const FOUND = ["pixel 3: Ads, google-ads, AW-EXAMPLE1", "pixel 4: Bing, bing, EXAMPLE-2"];

/**
 * What the demo shows, in this order.
 *
 * @param {string} url of the service
 * @param {string} key
 * @returns {readonly Step[]}
 */
export const story = (url, key) => [
  {
    title: "Set the service's address and key",
    about: "The key is stored encrypted in the stack's config.",
    commands: [
      `config set --secret tracking:apiKey ${key}`,
      `config set tracking:analyticsBaseUrl ${url}`,
      `config set tracking:dataBaseUrl ${url}`,
      "config",
    ],
    says: ["[secret]"],
    holds: [],
  },
  {
    title: "Preview the changes",
    about: "A preview changes nothing.",
    commands: ["preview"],
    says: ["3 to create"],
    holds: [],
  },
  {
    title: "Create the website and the pixel",
    commands: ["up --yes"],
    says: ["3 created"],
    writes: [`POST ${WEBSITES}`, `POST ${PIXELS}`],
    holds: [SHOP, ANALYTICS],
  },
  {
    title: "Change the program",
    about: "The website keeps its id (1); only the change is sent.",
    changes: [
      ['["192.0.2.0/24", "198.51.100.7"];', '["192.0.2.0/24", "198.51.100.7", "203.0.113.9"];'],
      ["  emailReports: true,", "  emailReports: false,"],
    ],
    commands: ["up --yes"],
    says: ["1 updated"],
    writes: [`PUT ${WEBSITES}/1`],
    holds: [SILENT, ANALYTICS],
  },
  {
    title: "Someone changes things in the web interface",
    about: "A refresh shows what differs from the program.",
    meanwhile: {
      text: "In the web interface, someone makes the statistics of shop.example.com public, and deletes the pixel.",
      act: (service) => {
        service.editWebsite(1, { privacy: 0 });
        service.deletePixel(1);
      },
    },
    commands: ["refresh --yes"],
    says: ["~privacy", "1 deleted"],
    holds: [SILENT.replace("private", "public")],
  },
  {
    title: "Correct the drift",
    about: "The website gets the program's values back, and the pixel is recreated.",
    commands: ["up --yes"],
    says: ["1 created", "1 updated"],
    writes: [`PUT ${WEBSITES}/1`, `POST ${PIXELS}`],
    holds: [SILENT, AGAIN],
  },
  {
    title: "Adopt a website that exists already",
    about: "It keeps its id and its statistics. The preview has named what changes on it.",
    meanwhile: {
      text: "In the web interface, someone has added blog.example.com. It has statistics by now.",
      act: (service) => void service.insertWebsite({ domain: "blog.example.com", privacy: 0, email: 1 }),
    },
    changes: [
      [
        "export const shopId = shop.id;",
        'const blog = new tracking.Website("blog", {\n  domain: "blog.example.com",\n  adopt: true,\n});\n\nexport const shopId = shop.id;',
      ],
    ],
    commands: ["up --yes"],
    says: ["exists already (id 2)", "1 created"],
    writes: [`PUT ${WEBSITES}/2`],
    holds: [SILENT, BLOG, AGAIN],
  },
  {
    title: "Import what no program declares yet",
    about: "The rest of the account becomes a program, found.ts. The service is only read.",
    meanwhile: {
      text: "In the web interface, someone adds two pixels.",
      act: (service) => {
        service.insertPixel({ name: "Ads", type: "google-ads", value: "AW-EXAMPLE1" });
        service.insertPixel({ name: "Bing", type: "bing", value: "EXAMPLE-2" });
      },
    },
    commands: ["npx pulumi-tracking import --out found.ts"],
    says: ["found.ts: 2 declared"],
    holds: [SILENT, BLOG, AGAIN, ...FOUND],
  },
  {
    title: "Use that program, and import what it declares",
    about: "Nothing has changed, and nothing is sent.",
    changes: [["import * as tracking", 'import "./found";\nimport * as tracking']],
    commands: ["npx pulumi-tracking import --declared --apply", "up --yes"],
    says: ["2 imported", "6 unchanged"],
    holds: [SILENT, BLOG, AGAIN, ...FOUND],
  },
  {
    title: "Destroy is refused",
    about: "Both websites are protected, as every website is. Nothing is deleted.",
    commands: ["destroy --yes"],
    refused: true,
    says: ["because it is protected"],
    holds: [SILENT, BLOG, AGAIN, ...FOUND],
  },
  {
    title: "Destroy, without protection",
    changes: [
      ["  excludeIps: office,\n});", "  excludeIps: office,\n}, { protect: false });"],
      ["  adopt: true,\n});", "  adopt: true,\n}, { protect: false });"],
    ],
    commands: ["up --yes", "destroy --yes"],
    says: ["6 deleted"],
    writes: [
      ...[1, 2].map((id) => `DELETE ${WEBSITES}/${id}`),
      ...[2, 3, 4].map((id) => `DELETE ${PIXELS}/${id}`),
    ],
    holds: [],
  },
];
