/** @type {readonly import("../promises.mjs").Breach[]} */
export const answers = [
  {
    change: "an error is as long as what the service says",
    file: "provider/api/redact.ts",
    code: "return Buffer.byteLength(plain) <= MAX_BYTES",
    instead: "return true",
    test: "test/provider/api/redact.test.ts",
    name: "no text is longer than 2 KB, and a short one is not cut",
  },
  {
    change: "an error leaves as it is",
    file: "provider/session.ts",
    code: "const message = sanitize(error instanceof Error ? error.message : String(error));",
    instead: "const message = error instanceof Error ? error.message : String(error);",
    test: "test/provider/session.test.ts",
    name: "a secret that was once an argument is in no message from then on",
  },
  {
    change: "an id may be any text",
    file: "provider/schema/codec.ts",
    code: "/^[\\w-]{1,64}$/.test(raw) ? raw : undefined",
    instead: "raw",
    test: "test/provider/schema/codec.test.ts",
    name: 'given as "a/b" is undefined',
  },
];

/** @type {readonly import("../promises.mjs").Breach[]} */
export const secrets = [
  {
    change: "text for people is not redacted",
    file: "provider/api/redact.ts",
    code: "const plain = maskSecrets(text)",
    instead: "const plain = text",
    test: "test/provider/api/redact.test.ts",
    name: "a secret is hidden URL-encoded",
  },
  {
    change: "a secret is hidden in one form alone",
    file: "provider/api/redact.ts",
    code: "for (const form of formsOf(secret)) forms.add(form);",
    instead: "forms.add(secret);",
    test: "test/provider/api/redact.test.ts",
    name: "a secret is hidden URL-encoded",
  },
  {
    change: "the first 12 characters of a secret are shown",
    file: "provider/api/redact.ts",
    code: "    secret.slice(0, 12),\n",
    instead: "",
    test: "test/provider/api/redact.test.ts",
    name: "a secret is hidden cut after 12 characters",
  },
  {
    change: "the key is not known as a secret",
    file: "provider/api/client.ts",
    code: "  registerSecret(endpoint.key);\n",
    instead: "",
    test: "test/provider/api/client.test.ts",
    name: "a key that the service repeats in body, header and redirect is in no message that is shown",
  },
  {
    change: "a password is stored in plain text",
    file: "provider/hosts/marshal.ts",
    code: "if (isSecret(name) && value !== UNKNOWN_TEXT) bag[name] =",
    instead: "if (false) bag[name] =",
    test: "test/provider/hosts/marshal.test.ts",
    name: "seal a secret that is known",
  },
  {
    change: "a password in a program is no secret",
    file: "sdk/resource.ts",
    code: "if (props[secret] !== undefined) props[secret] = pulumi.secret(props[secret]);",
    instead: "",
    test: "test/sdk/third.test.ts",
    name: "has its secrets kept without a word in the program",
  },
  {
    change: "an error shows its stack",
    file: "provider/hosts/dynamic/without-stack.ts",
    code: 'Object.assign(new Error(message), { stack: "", toString: () => "" })',
    instead: "new Error(message)",
    test: "test/provider/hosts/dynamic/index.test.ts",
    name: "that fails leaves one clean sentence, once, and no id",
  },
];

/** @type {readonly import("../promises.mjs").Breach[]} */
export const size = [
  {
    change: "eight times as much is read",
    file: "provider/api/http.ts",
    code: "if (size > MAX_BODY_BYTES)",
    instead: "if (size > 8 * MAX_BODY_BYTES)",
    test: "test/provider/api/http.test.ts",
    name: "that never ends (gzip) is given up, and costs at most 20 MB",
  },
];

/** @type {readonly import("../promises.mjs").Breach[]} */
export const packed = [
  {
    change: "the package runs a script when it is installed",
    file: "package.json",
    code: '"scripts": {\n',
    instead: '"scripts": {\n    "postinstall": "node --version",\n',
    test: "test/install/package.test.ts",
    name: "runs nothing when it is installed",
  },
];
