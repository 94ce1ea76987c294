import { spawn, spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, request } from "node:http";
import { createRequire } from "node:module";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { ensureNpmPackage } from "../tools/npm-package.mjs";

/**
 * @typedef {import("node:http").RequestListener} Listener
 * @typedef {object} Limiter
 * @property {string} name
 * @property {number} least how many milliseconds pass at least until it has let so many requests through
 * @property {(backend: string) => Promise<Running>} start puts it before the service at this address
 * @typedef {{ url: string, close: () => Promise<void> }} Running
 */

/** What is answered in front of another server. @param {string} backend @returns {Listener} */
const forwardTo = (backend) => (message, response) => {
  const { method, headers, url } = message;
  const onward = request(backend + url, { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  onward.on("error", () => response.destroy());
  message.pipe(onward);
};

/** @param {Listener} listener @returns {Promise<Running>} */
export async function serve(listener) {
  const server = createServer(listener);
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  const close = async () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${port}`, close };
}

/** The service's own time, and its way: 50 to 150 ms, the same ones each time. @param {string} backend */
export function slowly(backend) {
  let state = 1;
  const forward = forwardTo(backend);
  return serve(async (message, response) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    await pause(50 + (100 * state) / 2 ** 32);
    forward(message, response);
  });
}

/** Loads packages that only this needs. @param {string} name @param {string} version @param {Record<string, string>} [beside] */
async function packages(name, version, beside) {
  return createRequire(join(await ensureNpmPackage(name, version, beside), "package.json"));
}

/** @param {object} options @returns {Limiter["start"]} */
const expressRateLimit = (options) => async (backend) => {
  const load = await packages("express-rate-limit", "8", { express: "5" });
  const app = load("express")();
  app.use(load("express-rate-limit").rateLimit({ windowMs: 10_000, limit: 20, ...options }));
  app.use(forwardTo(backend));
  return serve(app);
};

/** A window that an earlier command has used up, and that names no time. @type {Limiter["start"]} */
async function usedUp(backend) {
  const silent = { legacyHeaders: false, standardHeaders: false };
  const running = await expressRateLimit({ windowMs: 60_000, limit: 100, ...silent })(backend);
  await Promise.all(Array.from({ length: 100 }, () => fetch(running.url)));
  return running;
}

/** @type {Limiter["start"]} */
async function fastifyRateLimit(backend) {
  const load = await packages("@fastify/rate-limit", "10", { fastify: "5" });
  const app = load("fastify")();
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    "*",
    (/** @type {unknown} */ _, /** @type {unknown} */ body, /** @type {Function} */ done) => done(null, body),
  );
  await app.register(load("@fastify/rate-limit"), { max: 20, timeWindow: 10_000 });
  const forward = forwardTo(backend);
  app.all("/*", (/** @type {any} */ { raw }, /** @type {any} */ reply) => {
    reply.hijack();
    for (const [name, value] of Object.entries(reply.getHeaders())) reply.raw.setHeader(name, value);
    forward(raw, reply.raw);
  });
  return { url: await app.listen({ port: 0, host: "127.0.0.1" }), close: () => app.close() };
}

/** As its readme's example: 429 and no header. @type {Limiter["start"]} */
async function flexible(backend) {
  const load = await packages("rate-limiter-flexible", "8");
  const limiter = new (load("rate-limiter-flexible").RateLimiterMemory)({ points: 6, duration: 1 });
  const forward = forwardTo(backend);
  return serve((message, response) => {
    limiter.consume("all").then(
      () => forward(message, response),
      () => response.writeHead(429).end("Too Many Requests"),
    );
  });
}

/** @type {Limiter["start"]} */
async function hono(backend) {
  const load = await packages("hono-rate-limiter", "0.5", { hono: "4", "@hono/node-server": "1" });
  const app = new (load("hono").Hono)();
  const options = { windowMs: 10_000, limit: 20, keyGenerator: () => "all" };
  app.use(load("hono-rate-limiter").rateLimiter(options));
  const forward = forwardTo(backend);
  app.all("*", (/** @type {any} */ context) => {
    const { incoming, outgoing } = context.env;
    for (const [name, value] of context.res.headers) outgoing.setHeader(name, value);
    forward(incoming, outgoing);
    return load("@hono/node-server/utils/response").RESPONSE_ALREADY_SENT;
  });
  const { getRequestListener } = load("@hono/node-server");
  return serve(getRequestListener(app.fetch));
}

/** With named throttlers, as its readme's example. @type {Limiter["start"]} */
async function nest(backend) {
  const load = await packages("@nestjs/throttler", "6", {
    "@nestjs/common": "11",
    "@nestjs/core": "11",
    "@nestjs/platform-express": "11",
    "reflect-metadata": "0.2",
    rxjs: "7",
  });
  load("reflect-metadata");
  const { All, Controller, Module, Req, Res } = load("@nestjs/common");
  const { APP_GUARD, NestFactory } = load("@nestjs/core");
  const { ThrottlerGuard, ThrottlerModule } = load("@nestjs/throttler");
  const forward = forwardTo(backend);
  class Front {
    pass(/** @type {any} */ message, /** @type {any} */ response) {
      forward(message, response);
    }
  }
  Controller()(Front);
  All("*path")(Front.prototype, "pass", Object.getOwnPropertyDescriptor(Front.prototype, "pass"));
  Req()(Front.prototype, "pass", 0);
  Res()(Front.prototype, "pass", 1);
  class App {}
  const throttlers = [
    { name: "short", ttl: 1000, limit: 3 },
    { name: "medium", ttl: 10_000, limit: 20 },
  ];
  Module({
    imports: [ThrottlerModule.forRoot(throttlers)],
    controllers: [Front],
    providers: [{ provide: APP_GUARD, useClass: ThrottlerGuard }],
  })(App);
  const app = await NestFactory.create(App, { logger: false, bodyParser: false });
  await app.listen(0, "127.0.0.1");
  return { url: await app.getUrl(), close: () => app.close() };
}

/**
 * A program that is no package, with its configuration in a folder of its own.
 *
 * @param {(folder: string, port: number, backend: string) => string} configured
 * @param {(file: string, folder: string) => readonly [string, ...string[]]} command
 * @returns {Limiter["start"]}
 */
const program = (configured, command) => async (backend) => {
  const folder = await mkdtemp(join(tmpdir(), "limiter-"));
  const free = await serve(() => {});
  const port = Number(new URL(free.url).port);
  await free.close();
  const file = join(folder, "limiter.conf");
  await writeFile(file, configured(folder, port, new URL(backend).host));
  const [name, ...args] = command(file, folder);
  const child = spawn(name, args, { stdio: "ignore" });
  await opened(port);
  const close = async () => {
    child.kill();
    await rm(folder, { recursive: true, force: true });
  };
  return { url: `http://127.0.0.1:${port}`, close };
};

/** @param {number} port */
async function opened(port) {
  for (let tries = 0; tries < 100; tries += 1) {
    const isOpen = await new Promise((resolve) => {
      const socket = connect(port, "127.0.0.1", () => resolve(true)).on("error", () => resolve(false));
      socket.unref();
    });
    if (isOpen) return;
    await pause(50);
  }
  throw new Error(`nothing listens at port ${port}`);
}

/** @param {string} zone @param {string} rule */
const nginx = (zone, rule) =>
  program(
    (folder, port, backend) => `worker_processes 1; daemon off; pid ${folder}/pid; error_log ${folder}/error;
events {}
http {
  access_log off;
  client_body_temp_path ${folder}; proxy_temp_path ${folder}; fastcgi_temp_path ${folder}; uwsgi_temp_path ${folder}; scgi_temp_path ${folder};
  ${zone}
  server { listen 127.0.0.1:${port}; location / { ${rule} proxy_pass http://${backend}; } }
}`,
    (file, folder) => ["nginx", "-p", folder, "-c", file],
  );
const limitConn = (/** @type {number} */ most) =>
  nginx("limit_conn_zone $binary_remote_addr zone=all:1m;", `limit_conn all ${most};`);
const limitReq = (/** @type {string} */ rate, /** @type {string} */ more) =>
  nginx(`limit_req_zone $binary_remote_addr zone=all:1m rate=${rate};`, `limit_req zone=all ${more};`);

/** So many in ten seconds; the others 429, which says nothing. */
const haproxy = program(
  (_, port, backend) => `defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
frontend all
  bind 127.0.0.1:${port}
  stick-table type ip size 10 expire 10s store http_req_rate(10s)
  http-request track-sc0 src
  http-request deny deny_status 429 if { sc_http_req_rate(0) gt 20 }
  default_backend service
backend service
  server service ${backend}
`,
  (file) => ["haproxy", "-f", file],
);

const has = (/** @type {string} */ name) => spawnSync("which", [name]).status === 0;
const windows = (/** @type {number} */ most, /** @type {number} */ lasts) => (/** @type {number} */ count) =>
  Math.floor((count - 1) / most) * lasts;
const atATime = (/** @type {number} */ most) => (/** @type {number} */ count) => (count / most) * 100;

/** Each with the least time in milliseconds for so many requests. @type {readonly [name: string, start: Limiter["start"], least: (count: number) => number][]} */
const packaged = [
  ["none", async (backend) => ({ url: backend, close: async () => {} }), atATime(16)],
  ["express-rate-limit, 20 in 10 s", expressRateLimit({}), windows(20, 10_000)],
  [
    "express-rate-limit, headers off",
    expressRateLimit({ legacyHeaders: false, standardHeaders: false }),
    windows(20, 10_000),
  ],
  ["express-rate-limit, headers off, 100 a minute that are used up", usedUp, () => 60_000],
  ["@fastify/rate-limit, 20 in 10 s", fastifyRateLimit, windows(20, 10_000)],
  ["rate-limiter-flexible, 6 a second", flexible, windows(6, 1000)],
  ["hono-rate-limiter, 20 in 10 s", hono, windows(20, 10_000)],
  ["@nestjs/throttler, 3 a second and 20 in 10 s", nest, windows(20, 10_000)],
];
/** @type {typeof packaged} */
const ofNginx = [
  ["nginx, limit_conn 5", limitConn(5), atATime(5)],
  ["nginx, limit_conn 10", limitConn(10), atATime(10)],
  ["nginx, limit_req 5r/s", limitReq("5r/s", ""), (count) => (count - 1) * 200],
  [
    "nginx, limit_req 5r/s burst=12 delay=8",
    limitReq("5r/s", "burst=12 delay=8"),
    (count) => (count - 12) * 200,
  ],
  [
    "nginx, limit_req 5r/s burst=10 nodelay",
    limitReq("5r/s", "burst=10 nodelay"),
    (count) => (count - 10) * 200,
  ],
];

/** Those that this machine can start. */
export const LIMITERS = [
  ...packaged,
  ...(has("nginx") ? ofNginx : []),
  ...(has("haproxy")
    ? [/** @type {typeof packaged[0]} */ (["HAProxy, 20 in 10 s", haproxy, windows(20, 10_000)])]
    : []),
];
