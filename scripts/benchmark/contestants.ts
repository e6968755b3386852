import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { start, type Running } from './process'

/** Something that stands between client and vendor. */
export interface Contestant {
  readonly name: string
  /** A key that it takes. */
  readonly key: string
  /** Starts it on the server's core; null when the vendor itself is asked. */
  readonly start: ((port: number) => Running) | null
  /** After all is measured. @throws Error when its books are wrong */
  readonly check?: () => string
}

interface Place {
  /** A folder for whatever they write. */
  readonly folder: string
  readonly vendorPort: number
}

export const direct: Contestant = { name: 'direct', key: 'none', start: null }

/** Null where it is not installed. */
export function nginx({ folder, vendorPort }: Place): Contestant | null {
  const program = Bun.which('nginx') ?? (existsSync('/usr/sbin/nginx') ? '/usr/sbin/nginx' : null)
  if (program === null) return null
  const own = join(folder, 'nginx')
  mkdirSync(own, { recursive: true })
  return {
    name: 'nginx',
    key: 'none',
    start(port) {
      const file = join(own, 'nginx.conf')
      writeFileSync(file, nginxConfig({ own, port, vendorPort }))
      return start([program, '-p', own, '-c', file], { core: 'server', log: join(own, 'log') })
    },
  }
}

const nginxConfig = (at: { own: string; port: number; vendorPort: number }): string => `
daemon off;
master_process off;
worker_rlimit_nofile 16384;
pid ${at.own}/pid;
error_log stderr crit;
events { worker_connections 8192; }
http {
  access_log off;
  client_body_temp_path ${at.own}/body;
  proxy_temp_path ${at.own}/proxy;
  fastcgi_temp_path ${at.own}/fastcgi;
  uwsgi_temp_path ${at.own}/uwsgi;
  scgi_temp_path ${at.own}/scgi;
  keepalive_requests 1000000000;
  upstream vendor {
    server 127.0.0.1:${at.vendorPort};
    keepalive 2048;
    keepalive_requests 1000000000;
  }
  server {
    listen 127.0.0.1:${at.port} backlog=4096;
    location / {
      proxy_pass http://vendor;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_buffering off;
      proxy_read_timeout 300s;
    }
  }
}
`

/** Bare passthrough in the gateway's runtime: bodies piped, or read whole and written whole. */
export const passthrough = (way: 'piped' | 'buffered', place: Place): Contestant => ({
  name: `bun ${way}`,
  key: 'none',
  start: (port) =>
    start(
      [
        process.execPath,
        join(import.meta.dir, 'passthrough.ts'),
        way,
        String(port),
        String(place.vendorPort),
      ],
      {
        core: 'server',
        env: { BUN_CONFIG_MAX_HTTP_REQUESTS: '65535', NODE_ENV: 'production' },
        log: join(place.folder, `${way}.log`),
      },
    ),
})

const generous = '100000000'

const environment = { CHAPAR_ADDRESS_RPM: '1000000000', CHAPAR_DETECT: '0' }

/** Runs one command of the program. @throws Error with what it said */
export function command(
  program: string | readonly string[],
  data: string,
  args: readonly string[],
): unknown {
  const run = Bun.spawnSync([program, args, '--json', '--data', data].flat(), {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...environment },
  })
  const said = run.stdout.toString()
  if (run.exitCode !== 0) throw new Error(`${args.join(' ')}: ${said}${run.stderr.toString()}`)
  return JSON.parse(said)
}

/** The vendor of a measurement, which lists no models. */
export function addStandIn(
  program: string | readonly string[],
  data: string,
  described: readonly string[],
): void {
  const add = ['vendor', 'add', '--name', 'standin', ...described]
  try {
    command(program, data, [...add, '--no-test'])
  } catch {
    // An executable from before vendors were tried does not know the option.
    command(program, data, add)
  }
}

/** An executable of ours with everything on, set up through its own commands. */
export function chapar(name: string, executable: string, place: Place): Contestant {
  const data = join(place.folder, name.replaceAll(' ', '-'))
  const key = setUp(executable, data, place.vendorPort)
  return {
    name,
    key,
    start: serving(executable, data),
    check: () => audit(executable, data),
  }
}

export const serving =
  (executable: string, data: string, options: readonly string[] = []) =>
  (port: number) =>
    start([executable, 'serve', '--port', String(port), '--data', data, ...options], {
      core: 'server',
      env: environment,
      log: `${data}.log`,
    })

export const audit = (program: string | readonly string[], data: string): string => {
  const report = command(program, data, ['audit']) as {
    readonly ok: boolean
    readonly requests: number
  }
  if (!report.ok) throw new Error(`the books of ${data} are wrong: ${JSON.stringify(report)}`)
  return `${report.requests.toLocaleString('en')} calls on record, every balance adds up`
}

/** An account with money and a key, one vendor, one model. @returns the key */
export function setUp(executable: string, data: string, vendorPort: number): string {
  const run = (...args: string[]) =>
    command(executable, data, args) as { readonly id: number; readonly key: string }
  const account = String(run('account', 'create', '--name', 'bench', '--verified').id)
  run('account', 'set', account, '--concurrency', '100000', '--rpm', generous)
  run('topup', account, '1000000')
  const project = String(run('project', 'create', '--account', account, '--name', 'bench').id)
  const { key } = run('key', 'create', '--project', project, '--name', 'bench', '--rpm', generous)
  const address = `http://127.0.0.1:${vendorPort}/v1`
  const vendor = ['--kind', 'openai', '--base-url', address, '--api-key', 'x']
  addStandIn(executable, data, vendor)
  const prices = ['--price', 'input_per_million=1.5', '--price', 'output_per_million=6']
  const route = ['--type', 'chat', '--route', 'standin:bench-model']
  run('model', 'add', '--id', 'bench-model', ...route, ...prices)
  return key
}
