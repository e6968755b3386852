import type { VendorConfig } from '../domain/model'
import { dialects, type Dialect } from './openai/dialects'

/** A model that a server on this machine has. */
export interface LocalModel {
  readonly vendor: string
  readonly id: string
}

/** What was found without anybody saying so. */
export interface Discovery {
  readonly found: readonly VendorConfig[]
  readonly local: readonly LocalModel[]
}

export const noDiscovery: Discovery = { found: [], local: [] }

export interface DiscoveryParts {
  readonly env: Readonly<Record<string, string | undefined>>
  /** A key of ours in the environment would make the gateway its own vendor. */
  readonly ownKeyPrefixes: readonly string[]
  /** `host:port` of ourselves, in every spelling. */
  readonly ownAddresses: readonly string[]
  readonly timeoutMs: number
  /** Asks an address on this machine; null when nobody answers in time. */
  probe(url: string, timeoutMs: number): Promise<unknown>
}

const probeMs = 150

const localServers = [
  { name: 'ollama', baseUrl: 'http://127.0.0.1:11434/v1' },
  { name: 'lmstudio', baseUrl: 'http://127.0.0.1:1234/v1' },
] as const

/** Vendors whose key is in the environment, and model servers on this machine. */
export async function discoverVendors(parts: DiscoveryParts): Promise<Discovery> {
  const local = await Promise.all(localServers.map((server) => askLocal(server, parts)))
  const running = local.filter((each) => each !== null)
  return {
    found: [...inEnvironment(parts), ...running.map(({ config }) => config)],
    local: running.flatMap(({ models }) => models),
  }
}

function inEnvironment({ env, ownKeyPrefixes, ownAddresses, timeoutMs }: DiscoveryParts) {
  return Object.entries<Dialect>(dialects).flatMap(([name, dialect]): VendorConfig[] => {
    const key = dialect.keyVariable === null ? undefined : env[dialect.keyVariable]?.trim()
    const address =
      name === 'openai' ? env['OPENAI_BASE_URL']?.trim() || dialect.baseUrl : dialect.baseUrl
    if (!key || address === null || ownKeyPrefixes.some((own) => key.startsWith(own))) return []
    if (!URL.canParse(address) || ownAddresses.includes(new URL(address).host)) return []
    return [configOf(name, address.replace(/\/+$/, ''), key, timeoutMs)]
  })
}

async function askLocal(server: (typeof localServers)[number], parts: DiscoveryParts) {
  if (parts.ownAddresses.includes(new URL(server.baseUrl).host)) return null
  const answer = await parts.probe(`${server.baseUrl}/models`, probeMs)
  if (typeof answer !== 'object' || answer === null || !('data' in answer)) return null
  const listed: unknown[] = Array.isArray(answer.data) ? answer.data : []
  const models = listed.flatMap((each) =>
    typeof each === 'object' && each !== null && 'id' in each && typeof each.id === 'string'
      ? [{ vendor: server.name, id: each.id }]
      : [],
  )
  const config = configOf(server.name, server.baseUrl, null, parts.timeoutMs)
  return { config, models }
}

const configOf = (
  name: string,
  baseUrl: string,
  credential: string | null,
  timeoutMs: number,
): VendorConfig => ({
  name,
  kind: 'openai',
  dialect: name,
  baseUrl,
  credential,
  timeoutMs,
  marginPercent: '0',
  active: true,
  source: 'environment',
})
