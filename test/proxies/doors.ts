import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import { temporaryFolder } from '../support/executable'
import { paced } from '../support/pace'

/** A way to a gateway: a program in front of it, as people install it. */
export interface ProxyDoor {
  readonly port: number
  /** Without a path. */
  readonly origin: string
  close(): Promise<void>
}

/** Programs of the distribution, by the package that has them. */
const programs = {
  nginx: '/usr/sbin/nginx',
  haproxy: '/usr/sbin/haproxy',
  caddy: '/usr/bin/caddy',
} as const
export type ProxyName = keyof typeof programs

const proxyNames = Object.keys(programs) as readonly ProxyName[]

const programOf = (name: ProxyName): string | null =>
  existsSync(programs[name]) ? programs[name] : Bun.which(name)

/** Programs that this machine lacks. */
export const missingProxies = (): readonly ProxyName[] =>
  proxyNames.filter((name) => programOf(name) === null)

/** A port that nobody listens at. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** How each program is begun with a configuration, and ends with its parent. */
const commands: Readonly<Record<ProxyName, (file: string) => readonly string[]>> = {
  nginx: (file) => ['-c', file],
  haproxy: (file) => ['-db', '-f', file],
  caddy: (file) => ['run', '--adapter', 'caddyfile', '--config', file],
}

const maxStartMs = paced(10_000)

interface Begun {
  readonly name: ProxyName
  /** Whole. */
  readonly config: (folder: string) => string
  readonly port: number
  readonly scheme?: 'https'
}

/** Begins a program with a configuration, and waits until it listens. @throws Error with what it said */
export async function beginProxy({ name, config, port, scheme }: Begun): Promise<ProxyDoor> {
  const folder = temporaryFolder()
  const file = join(folder, name === 'caddy' ? 'Caddyfile' : `${name}.conf`)
  mkdirSync(join(folder, 'tmp'))
  writeFileSync(file, config(folder))
  const program = programOf(name)
  if (program === null) throw new Error(`${name} is not installed`)
  const child = Bun.spawn([program, ...commands[name](file)], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', HOME: folder, XDG_DATA_HOME: folder },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    void (async () => {
      const decoder = new TextDecoder()
      for await (const bytes of stream) said += decoder.decode(bytes, { stream: true })
    })()
  const close = async () => {
    child.kill('SIGKILL')
    await child.exited
    rmSync(folder, { recursive: true, force: true })
  }
  const until = performance.now() + maxStartMs
  while (!(await listens(port))) {
    if (child.exitCode !== null || performance.now() > until) {
      await close()
      throw new Error(`${name} does not listen, but said: ${said}`)
    }
    await Bun.sleep(10)
  }
  return { port, origin: `${scheme ?? 'http'}://127.0.0.1:${port}`, close }
}

/** What Caddy is told of itself: above all not to have this machine trust an authority of its own. */
export const caddyFrame = (more = ''): string =>
  `{\n\tadmin off\n\tauto_https off\n\tskip_install_trust\n${more}}\n`

const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })

/** Frame of a configuration of nginx: where it keeps what it writes, and nothing that touches a request. */
export const nginxFrame = (folder: string, http: string): string => `
daemon off;
${process.getuid?.() === 0 ? 'user root;' : ''}
pid ${folder}/nginx.pid;
error_log stderr;
events {}
http {
  access_log off;
  client_body_temp_path ${folder}/tmp/body;
  proxy_temp_path ${folder}/tmp/proxy;
  fastcgi_temp_path ${folder}/tmp/fastcgi;
  uwsgi_temp_path ${folder}/tmp/uwsgi;
  scgi_temp_path ${folder}/tmp/scgi;
  ${http}
}
`

const haproxyOf = (mode: 'http' | 'tcp', port: number, to: number): string => `
frontend door
  mode ${mode}
  bind 127.0.0.1:${port}
  default_backend chapar
backend chapar
  mode ${mode}
  server chapar 127.0.0.1:${to}
`

/** Each with the one line that leads to the gateway, and nothing else. */
const defaults: Readonly<
  Record<
    string,
    { readonly name: ProxyName; config(port: number, to: number, folder: string): string }
  >
> = {
  'nginx proxy_pass': {
    name: 'nginx',
    config: (port, to, folder) =>
      nginxFrame(
        folder,
        `server { listen 127.0.0.1:${port}; location / { proxy_pass http://127.0.0.1:${to}; } }`,
      ),
  },
  'haproxy mode http': { name: 'haproxy', config: (port, to) => haproxyOf('http', port, to) },
  'haproxy mode tcp': { name: 'haproxy', config: (port, to) => haproxyOf('tcp', port, to) },
  'caddy reverse_proxy': {
    name: 'caddy',
    config: (port, to) =>
      `${caddyFrame()}http://:${port} {\n\tbind 127.0.0.1\n\treverse_proxy 127.0.0.1:${to}\n}\n`,
  },
}

/** Ways to a gateway that people use without a thought, and the program of each; null for none. */
export const doorNames: Readonly<Record<string, ProxyName | null>> = {
  'no proxy': null,
  'a TCP forwarder': null,
  ...Object.fromEntries(Object.entries(defaults).map(([door, { name }]) => [door, name])),
}

/** Opens one of them. @param to port of the gateway */
export async function openDoor(door: string, to: number): Promise<ProxyDoor> {
  const found = defaults[door]
  const port = await freePort()
  if (found !== undefined)
    return await beginProxy({
      name: found.name,
      port,
      config: (folder) => found.config(port, to, folder),
    })
  return door === 'no proxy' ? noDoor(to) : await openForwarder(to)
}

const noDoor = (port: number): ProxyDoor => ({
  port,
  origin: `http://127.0.0.1:${port}`,
  close: async () => {},
})

/** As `ssh -R`, stunnel and socat do: bytes, and not a header more. */
async function openForwarder(to: number): Promise<ProxyDoor> {
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const service = connect(to, '127.0.0.1')
    for (const [one, other] of [
      [client, service],
      [service, client],
    ] as const) {
      sockets.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => sockets.delete(one))
      one.pipe(other)
    }
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    ...noDoor(port),
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
