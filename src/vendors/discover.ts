import type { VendorConfig } from '../domain/model'
import { dialectFor, dialects, type Dialect } from './openai/dialects'

/** A model that a server on this machine has. */
export interface LocalModel {
  readonly vendor: string
  readonly id: string
}

/** What was found without anybody saying so. */
export interface Discovery {
  readonly found: readonly VendorConfig[]
  readonly local: readonly LocalModel[]
  /** Sentences for the operator on what was found and not taken, or taken otherwise. */
  readonly notes: readonly string[]
}

export const noDiscovery: Discovery = { found: [], local: [], notes: [] }

export interface DiscoveryParts {
  readonly env: Readonly<Record<string, string | undefined>>
  /** A key of ours in the environment would make the gateway its own vendor. */
  readonly ownKeyPrefixes: readonly string[]
  /** `host:port` of ourselves; all names of this machine are taken for one. */
  readonly ownAddresses: readonly string[]
  /** Longest wait for the first byte of a found vendor. */
  readonly timeoutMs: number
  /** Asks an address on this machine; null when nobody answers in time. */
  probe(url: string, timeoutMs: number): Promise<unknown>
}

const probeMs = 150

const localServers = [
  { name: 'ollama', baseUrl: 'http://127.0.0.1:11434/v1' },
  { name: 'lmstudio', baseUrl: 'http://127.0.0.1:1234/v1' },
] as const

/** Vendors whose key is in the environment, and model servers on this machine. Shows no key. */
export async function discoverVendors(parts: DiscoveryParts): Promise<Discovery> {
  const isOwn = ownAddress(parts.ownAddresses)
  const asked = localServers.map((server) => askLocal(server, parts, isOwn))
  const named = Object.entries<Dialect>(dialects).map(([name, dialect]) =>
    inEnvironment(name, dialect, parts, isOwn),
  )
  const running = (await Promise.all(asked)).filter((each) => each !== null)
  return {
    found: [...named.flatMap(({ found }) => found), ...running.map(({ config }) => config)],
    local: running.flatMap(({ models }) => models),
    notes: named.flatMap(({ notes }) => notes),
  }
}

interface Found {
  readonly found: readonly VendorConfig[]
  readonly notes: readonly string[]
}

type IsOwn = (url: URL) => boolean

function inEnvironment(
  name: string,
  { keyVariable, baseUrl }: Dialect,
  { env, ownKeyPrefixes, timeoutMs }: DiscoveryParts,
  isOwn: IsOwn,
): Found {
  const key = keyVariable === null ? undefined : env[keyVariable]?.trim()
  const elsewhere = name === 'openai' ? env['OPENAI_BASE_URL']?.trim().replace(/\/+$/, '') : ''
  const address = elsewhere || baseUrl
  if (!key || address === null) return { found: [], notes: [] }
  const ignored = (why: string): Found => ({ found: [], notes: [`${keyVariable}: ${why}`] })
  if (ownKeyPrefixes.some((own) => key.startsWith(own)))
    return ignored('a key of this gateway, not taken for a vendor’s')
  // Anything else could not be sent in a header.
  if (!/^[\x21-\x7e]+$/.test(key)) return ignored('holds what no key holds, not used')
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol))
    return ignored('OPENAI_BASE_URL is no http address, not used')
  if (isOwn(new URL(address))) return ignored('OPENAI_BASE_URL is this gateway itself, not used')

  // Another address may be of another vendor, which sells other models and takes other fields.
  const dialect = elsewhere ? dialectFor(address) : name
  const config = configOf({ name, dialect, baseUrl: address, credential: key, timeoutMs })
  const notes =
    dialect === name
      ? []
      : [
          `${keyVariable}: its address is ${new URL(address).host} (OPENAI_BASE_URL), taken as ${dialect}`,
        ]
  return { found: [config], notes }
}

async function askLocal(
  { name, baseUrl }: (typeof localServers)[number],
  { probe, timeoutMs }: DiscoveryParts,
  isOwn: IsOwn,
) {
  if (isOwn(new URL(baseUrl))) return null
  const answer = await probe(`${baseUrl}/models`, probeMs).catch(() => null)
  if (typeof answer !== 'object' || answer === null || !('data' in answer)) return null
  const listed: unknown[] = Array.isArray(answer.data) ? answer.data : []
  const models = listed.flatMap((each) =>
    typeof each === 'object' && each !== null && 'id' in each && isChatModel(each.id)
      ? [{ vendor: name, id: each.id }]
      : [],
  )
  const config = configOf({ name, dialect: name, baseUrl, credential: null, timeoutMs })
  return { config, models }
}

/** Such servers list all they have, and tell of none what it can do. */
const isChatModel = (id: unknown): id is string =>
  typeof id === 'string' && id !== '' && !/embed|rerank/i.test(id)

/** A machine has many names for itself. */
const ofThisMachine = new Set(['localhost', '127.0.0.1', '[::1]', '::1', '0.0.0.0', '[::]', '::'])

function ownAddress(addresses: readonly string[]): IsOwn {
  const placeOf = ({ hostname, port, protocol }: URL): string =>
    `${ofThisMachine.has(hostname) ? 'here' : hostname}:${port || (protocol === 'https:' ? 443 : 80)}`
  const own = new Set(
    addresses
      .map((address) => `http://${address.replace(/^::1?(?=:\d+$)/, '[::1]')}`)
      .filter((url) => URL.canParse(url))
      .map((url) => placeOf(new URL(url))),
  )
  return (url) => own.has(placeOf(url))
}

const configOf = (
  parts: Pick<VendorConfig, 'name' | 'dialect' | 'baseUrl' | 'credential' | 'timeoutMs'>,
): VendorConfig => ({
  ...parts,
  kind: 'openai',
  marginPercent: '0',
  active: true,
  source: 'environment',
})
