import { YAML } from 'bun'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readSecret } from '../../src/gateway/http/credential'
import { begin, temporaryFolder, type Begun } from '../support/executable'
import { describeOn, startPostgres, type PostgresServer } from '../support/postgres'

const scripts = join(import.meta.dir, '../../scripts')

type Needs = readonly string[] | Readonly<Record<string, { condition: string }>>
const isList = (needs: Needs): needs is readonly string[] => Array.isArray(needs)

interface Service {
  readonly image: string
  readonly command?: readonly string[]
  readonly user?: string
  readonly environment?: Readonly<Record<string, string>>
  readonly secrets?: readonly string[]
  readonly volumes: readonly string[]
  readonly depends_on?: Needs
  readonly healthcheck?: { readonly test: readonly string[] }
}
interface Compose {
  readonly services: Readonly<Record<string, Service>>
  readonly secrets: Readonly<Record<string, { readonly file: string }>>
  readonly volumes: Readonly<Record<string, object>>
}

const text = readFileSync(join(scripts, 'compose.yaml'), 'utf8')
const compose = YAML.parse(text) as Compose
const caddy = readFileSync(join(scripts, 'Caddyfile'), 'utf8')
const gateways = ['one', 'two'] as const
const gateway = (name: string): Service => {
  const service = compose.services[name]
  if (service === undefined) throw new Error(`no service ${name}`)
  return service
}

test('every volume, secret and service that is named is there', () => {
  const { services } = compose
  for (const [name, service] of Object.entries(services)) {
    for (const volume of service.volumes) {
      const [source = ''] = volume.split(':')
      const isThere = source.startsWith('.')
        ? ['../dist/chapar', './secret.key', './Caddyfile', './one', './two'].includes(source)
        : source in compose.volumes
      expect({ name, volume, isThere }).toEqual({ name, volume, isThere: true })
    }
    for (const secret of service.secrets ?? []) {
      expect(Object.keys(compose.secrets)).toContain(secret)
      // Whoever sets it up reads in the head of the file what to write there.
      expect(text).toContain(`\`${compose.secrets[secret]?.file.slice(2)}\``)
    }
    for (const [needed, condition] of needsOf(service)) {
      expect(Object.keys(services)).toContain(needed)
      if (condition === 'service_healthy') expect(services[needed]?.healthcheck).toBeDefined()
    }
  }
})

function needsOf({ depends_on: needs }: Service): readonly (readonly [string, string])[] {
  if (needs === undefined) return []
  if (isList(needs)) return needs.map((name) => [name, 'service_started'] as const)
  return Object.entries(needs).map(([name, { condition }]) => [name, condition] as const)
}

test('the gateways know the name that Caddy answers to, and are not root', () => {
  const [, site = ''] = /^(\S+) \{$/m.exec(caddy) ?? []
  for (const name of gateways) {
    const { user = 'root', environment } = gateway(name)
    expect(user).toMatch(/^[1-9]\d*:[1-9]\d*$/)
    expect(environment?.['CHAPAR_URL']).toBe(`https://${site}`)
  }
})

test('Caddy balances over the gateways at their port, by each header that a key comes in', () => {
  const [, upstreams = ''] = /reverse_proxy (.*) \{/.exec(caddy) ?? []
  const at = (name: string) => {
    const { command = [] } = gateway(name)
    return `${name}:${command[command.indexOf('--port') + 1]}`
  }
  expect(upstreams.split(' ')).toEqual(gateways.map(at))
  const named = [...caddy.matchAll(/^\t@\w+ header ([\w-]+) \*$/gm)].map(([, name = '']) => name)
  for (const name of named) {
    const value = name === 'Authorization' ? 'Bearer secret' : 'secret'
    expect([name, readSecret(new Headers({ [name]: value }))]).toEqual([name, 'secret'])
  }
  expect(named.toSorted()).toEqual(['Authorization', 'X-Api-Key'])
})

describeOn('npm', 'the gateways of compose.yaml', () => {
  const home = temporaryFolder()
  let server: PostgresServer
  const begun: Begun[] = []
  beforeAll(async () => {
    server = await startPostgres({ fsync: 'off' })
    writeFileSync(join(home, 'address'), `${await server.newDatabase()}?sslmode=disable\n`)
    writeFileSync(join(home, 'secret.key'), crypto.getRandomValues(new Uint8Array(64)))
  })
  afterAll(async () => {
    for (const each of begun) each.kill('SIGTERM')
    await Promise.all(begun.map(({ exited }) => exited))
    await server.remove()
    rmSync(home, { recursive: true, force: true })
  })

  /** Runs a service by its own words and variables: paths of its container are under `home` here. */
  const start = async (name: string): Promise<string> => {
    const { command = [], environment = {}, volumes } = gateway(name)
    const [program, ...words] = command
    expect(volumes).toContain(`../dist/chapar:${program}:ro`)
    const data = environment['CHAPAR_DATA'] ?? ''
    expect(volumes).toContain(`./${name}:${data}`)
    expect(volumes).toContain(`./secret.key:${data}/secret.key:ro`)
    const folder = join(home, name)
    mkdirSync(folder)
    cpSync(join(home, 'secret.key'), join(folder, 'secret.key'))
    const { CHAPAR_DATABASE_FILE: file = '' } = environment
    expect(file).toBe('/run/secrets/address')
    const port = words.indexOf('--port') + 1
    const env = {
      ...environment,
      CHAPAR_DATA: folder,
      CHAPAR_DATABASE_FILE: join(home, 'address'),
    }
    const ready = join(home, `${name}.env`)
    const own = [...words.with(port, '0'), '--ready-file', ready]
    const process = begin(own, env)
    begun.push(process)
    for (;;) {
      const found = /http:\/\/[^/\s]+/.exec(process.logs())
      if (found !== null) return found[0]
      await Bun.sleep(20)
    }
  }

  test('begin on one database by their words and variables, and answer what Caddy asks', async () => {
    const urls = await Promise.all(gateways.map(start))
    const [, path = ''] = /health_uri (\S+)/.exec(caddy) ?? []
    for (const url of urls) {
      const { port } = new URL(url)
      const answer = await fetch(`http://127.0.0.1:${port}${path}`)
      expect([answer.status, await answer.json()]).toEqual([
        200,
        expect.objectContaining({ status: 'ready' }),
      ])
    }
  })
})
