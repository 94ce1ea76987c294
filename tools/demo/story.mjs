import { existing } from "./existing.mjs";
import { analytics, blogNow, found, PIXELS, shop, shopNow, store, WEBSITES } from "./records.mjs";

/**
 * @typedef {object} Change an edit of the program, as a user would make it
 * @property {string} from occurs once in the program
 * @property {string} to
 *
 * @typedef {object} Happening what someone else does on the service
 * @property {string} text
 * @property {(service: import("../../emulator/control/client.js").EmulatorClient) => Promise<unknown>} act
 *
 * @typedef {import("./check.mjs").Outcome & {
 *   title: string,
 *   about?: string,
 *   meanwhile?: Happening,
 *   changes?: readonly Change[],
 *   commands: readonly string[],
 * }} Step one step for the user; `about` says what to look at; `commands` are pulumi's, without its name, or
 *   begin with `npx`
 */

/**
 * What the demo shows, in this order.
 *
 * @param {string} url of the service
 * @param {string} key
 * @returns {readonly Step[]}
 */
export function story(url, key) {
  return [
    {
      title: "Say where the service is",
      about: "The key is stored encrypted in the stack's config.",
      commands: [
        `config set --secret tracking:apiKey ${key}`,
        `config set tracking:analyticsBaseUrl ${url}`,
        `config set tracking:dataBaseUrl ${url}`,
        "config",
      ],
      says: ["[secret]"],
      writes: [],
      holds: { websites: [], pixels: [] },
    },
    {
      title: "See what would be done",
      about: "A preview changes nothing.",
      commands: ["preview"],
      says: ["3 to create"],
      writes: [],
      holds: { websites: [], pixels: [] },
    },
    {
      title: "Create the website and the pixel",
      commands: ["up --yes"],
      says: ["3 created"],
      writes: [`POST ${WEBSITES}`, `POST ${PIXELS}`],
      holds: { websites: [shop], pixels: [analytics] },
    },
    {
      title: "The same once more",
      about: "Nothing has changed, and nothing is sent.",
      commands: ["up --yes"],
      says: ["3 unchanged"],
      writes: [],
      holds: { websites: [shop], pixels: [analytics] },
    },
    {
      title: "Change the program",
      about: "The website stays the same one (id 1), and is sent only what changed.",
      changes: [
        {
          from: 'const office = ["192.0.2.0/24", "198.51.100.7"];',
          to: 'const office = ["192.0.2.0/24", "198.51.100.7", "203.0.113.9"];',
        },
        { from: "emailReports: true,", to: "emailReports: false," },
      ],
      commands: ["up --yes"],
      says: ["1 updated"],
      writes: [`PUT ${WEBSITES}/1`],
      holds: { websites: [shopNow], pixels: [analytics] },
    },
    {
      title: "Another domain is refused",
      about:
        "It would take a new website, and the statistics would go with the old one. A website is protected from that, unless the program says `protect: false`.",
      changes: [{ from: 'domain: "shop.example.com"', to: 'domain: "store.example.com"' }],
      commands: ["up --yes"],
      refused: true,
      says: ['the statistics of "shop.example.com" will be deleted with it', "marked for protection"],
      writes: [],
      holds: { websites: [shopNow], pixels: [analytics] },
    },
    {
      title: "Another domain, with the protection taken off",
      about: "The new website is made first, then the old one is deleted.",
      changes: [
        {
          from: "  excludeIps: office,\n});",
          to: "  excludeIps: office,\n}, { protect: false });",
        },
      ],
      commands: ["up --yes"],
      says: ["1 replaced"],
      writes: [`POST ${WEBSITES}`, `DELETE ${WEBSITES}/1`],
      holds: { websites: [store], pixels: [analytics] },
    },
    {
      title: "Someone changes things in the web page",
      about: "A refresh shows what is no longer as declared.",
      meanwhile: {
        text: "In the web page, someone makes the statistics of store.example.com public, and deletes the pixel.",
        act: async (service) => {
          await service.editWebsite(2, { privacy: 0 });
          await service.deletePixel(1);
        },
      },
      commands: ["refresh --yes"],
      says: ["~privacy", "1 deleted"],
      writes: [],
      holds: { websites: [{ ...store, privacy: 0 }], pixels: [] },
    },
    {
      title: "Put it right again",
      about: "The website gets the program's values again, and the pixel is recreated.",
      commands: ["up --yes"],
      says: ["1 created", "1 updated"],
      writes: [`PUT ${WEBSITES}/2`, `POST ${PIXELS}`],
      holds: { websites: [store], pixels: [{ ...analytics, id: 2 }] },
    },
    ...existing,
    {
      title: "Destroy is refused",
      about: "The blog is protected, as every website is. Nothing is deleted.",
      commands: ["destroy --yes"],
      refused: true,
      says: ["because it is protected"],
      writes: [],
      holds: { websites: [store, blogNow], pixels: [{ ...analytics, id: 2 }, ...found] },
    },
    {
      title: "Destroy, with the protection taken off",
      changes: [{ from: "  adopt: true,\n});", to: "  adopt: true,\n}, { protect: false });" }],
      commands: ["up --yes", "destroy --yes"],
      says: ["6 deleted"],
      writes: [
        ...[2, 3].map((id) => `DELETE ${WEBSITES}/${id}`),
        ...[2, 3, 4].map((id) => `DELETE ${PIXELS}/${id}`),
      ],
      holds: { websites: [], pixels: [] },
    },
  ];
}
