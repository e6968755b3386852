import type { VendorConfig } from '../../domain/model'
import { dialectFor, dialects, type Dialect } from './openai/dialects'
import { ownerAt, ownFormats, type OwnFormat, type OwnFormatKind } from './native-defaults'

/** A model that a server on this machine has. */
interface LocalModel {
  readonly vendor: string
  readonly id: string
}

/** Vendors discovered in the environment and on this machine. */
export interface Discovery {
  readonly found: readonly VendorConfig[]
  readonly local: readonly LocalModel[]
  /** Sentences for the operator on what was found and not taken, or taken otherwise. */
  readonly notes: readonly string[]
}

/** Result of a discovery that found nothing. */
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
  const asked = localServers.map((server) => requestLocal(server, parts, isOwn))
  const named = [...inDialects(parts), ...withOwnFormats(parts)].map((candidate) =>
    inEnvironment(candidate, parts, isOwn),
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

/** A key in the environment and the address it may be for. */
interface Candidate {
  readonly name: string
  readonly kind: string
  readonly keyVariable: string
  readonly key: string
  readonly addressVariable: string
  readonly address: string
  /** The dialect spoken there, or whose models are sold there. */
  dialectAt(address: string): string
}

function inDialects({ env }: DiscoveryParts): readonly Candidate[] {
  return Object.entries<Dialect>(dialects).flatMap(([name, { keyVariable, baseUrl }]) => {
    const key = keyVariable === null ? undefined : env[keyVariable]?.trim()
    const addressVariable = 'OPENAI_BASE_URL'
    const elsewhere = name === 'openai' ? addressIn(env, addressVariable) : ''
    const address = elsewhere || baseUrl
    if (!key || keyVariable === null || address === null) return []
    // Another address may be of another vendor, which sells other models and takes other fields.
    const dialectAt = elsewhere ? dialectFor : () => name
    return [{ name, kind: 'openai', keyVariable, key, addressVariable, address, dialectAt }]
  })
}

function withOwnFormats({ env }: DiscoveryParts): readonly Candidate[] {
  return Object.entries<OwnFormat>(ownFormats).flatMap(([name, format]) => {
    const keyVariable = format.keyVariables.find((variable) => env[variable]?.trim())
    const key = keyVariable === undefined ? undefined : env[keyVariable]?.trim()
    if (keyVariable === undefined || !key) return []
    const { addressVariable } = format
    const elsewhere = addressVariable === null ? '' : addressIn(env, addressVariable)
    // Clients of the format are told an address without the version.
    const versioned = /\/v\d\w*$/.test(elsewhere) ? elsewhere : `${elsewhere}${format.version}`
    const kind = name as OwnFormatKind
    return [
      {
        name,
        kind,
        keyVariable,
        key,
        addressVariable: addressVariable ?? keyVariable,
        address: elsewhere === '' ? format.baseUrl : versioned,
        dialectAt: (address) => ownerAt(kind, address),
      },
    ]
  })
}

const addressIn = (env: DiscoveryParts['env'], variable: string): string =>
  env[variable]?.trim().replace(/\/+$/, '') ?? ''

function inEnvironment(
  { name, kind, keyVariable, key, addressVariable, address, dialectAt }: Candidate,
  { ownKeyPrefixes, timeoutMs }: DiscoveryParts,
  isOwn: IsOwn,
): Found {
  const ignored = (why: string): Found => ({ found: [], notes: [`${keyVariable}: ${why}`] })
  if (ownKeyPrefixes.some((own) => key.startsWith(own)))
    return ignored('a key of this gateway, not taken for a vendor’s')
  // Anything else could not be sent in a header.
  if (!/^[\x21-\x7e]+$/.test(key)) return ignored('holds what no key holds, not used')
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol))
    return ignored(`${addressVariable} is no http address, not used`)
  if (isOwn(new URL(address))) return ignored(`${addressVariable} is this gateway itself, not used`)

  const dialect = dialectAt(address)
  const config = configOf({ name, kind, dialect, baseUrl: address, credential: key, timeoutMs })
  const { host } = new URL(address)
  const notes =
    dialect === name
      ? []
      : [`${keyVariable}: its address is ${host} (${addressVariable}), taken as ${dialect}`]
  return { found: [config], notes }
}

async function requestLocal(
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
  const config = configOf({
    name,
    kind: 'openai',
    dialect: name,
    baseUrl,
    credential: null,
    timeoutMs,
  })
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
  parts: Pick<VendorConfig, 'name' | 'kind' | 'dialect' | 'baseUrl' | 'credential' | 'timeoutMs'>,
): VendorConfig => ({
  ...parts,
  transport: 'own',
  active: true,
  source: 'environment',
})
