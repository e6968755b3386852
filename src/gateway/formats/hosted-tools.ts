import type { Meter, Units, Usage } from '../../domain/usage'
import { GatewayError } from '../../errors/gateway-error'
import { invalid } from './schema-fault'
import { fieldsOf, listOf, type Fields } from '../json/fields'

/** Meter of calls of a tool that runs at the vendor: `tool:NAME`, or `tool:NAME:VARIANT`. */
export type ToolMeter = `tool:${string}`

/** Whether the model's card has a price for a meter. */
export type Sells = (meter: Meter) => boolean

/** A tool that the vendor runs, as a client offers it. */
interface HostedTool {
  /** Without the date of a version: `web_search` of `web_search_20260318`. */
  readonly name: string
  /** Meters that may price it, the most exact first. Any other price would be a guess. */
  readonly meters: readonly [ToolMeter, ...ToolMeter[]]
}

/** A hosted tool with the meter that it is billed by. */
export interface SoldTool {
  readonly name: string
  readonly meter: ToolMeter
}

/** A tool, and the field of the request that names it. */
export interface OfferedTool {
  readonly tool: unknown
  readonly param: string
  /** It stands among the tools of the request, where it can be left out; not in its conversation. */
  readonly atOnce: boolean
}

/**
 * Tools that the client runs, without the date of a version; what is not listed is the vendor's. A tool
 * search only loads definitions of tools, wherever it runs: vendors bill its tokens alone.
 * @see anthropics/anthropic-sdk-typescript 1.14.0, `src/resources/beta/messages/messages.ts` (`BetaToolUnion`);
 *   openai/openai-node 7.59.0, `src/resources/responses/responses.ts` (`Tool`, `ToolChoiceTypes`)
 */
const clientTools: ReadonlySet<string> = new Set([
  'function',
  'custom',
  'local_shell',
  'apply_patch',
  'computer',
  'computer_use',
  'computer_use_preview',
  'bash',
  'text_editor',
  'memory',
  'computer_toolset',
  'browser_toolset',
  'tool_search',
  'tool_search_tool_bm25',
  'tool_search_tool_regex',
])

const versionDate = /_(?:\d{8}|\d{4}_\d{2}_\d{2})$/
const messagesDate = /_\d{8}$/

/**
 * A tool as one that the vendor runs.
 * @returns null for a tool that the client runs; whatever is not known to be one is the vendor's
 */
export function hostedTool(tool: unknown): HostedTool | null {
  const raw = fieldsOf(tool)
  const { type, environment } = raw
  if (type === undefined || type === null) return null
  const name = toolName(written(type))
  if (clientTools.has(name)) return null
  switch (name) {
    case 'namespace':
      // It groups tools of the client's; one of the vendor's in it has no price that could be told.
      return listOf(raw['tools']).every(isClients) ? null : { name, meters: [`tool:${name}`] }
    case 'shell':
      return runsLocally(raw) ? null : { name, meters: bySize(name, environment) }
    case 'code_interpreter':
      return { name, meters: bySize(name, raw['container']) }
    case 'image_generation':
      return { name, meters: pictureMeters(raw) }
    case 'web_search':
    case 'web_search_preview':
      // Of the Messages format, which knows no sizes.
      if (messagesDate.test(written(type))) break
      return { name, meters: searchMeters(name, raw['search_context_size']) }
  }
  return { name, meters: [`tool:${name}`] }
}

const isClients = (tool: unknown): boolean => hostedTool(tool) === null

/**
 * Name of a hosted tool by its type.
 * @param type as clients write it, with the date of a version or without
 */
export function toolName(type: string): string {
  if (type.startsWith('web_search_preview')) return 'web_search_preview'
  if (type.startsWith('web_search')) return 'web_search'
  return type === 'mcp_toolset' ? 'mcp' : type.replace(versionDate, '')
}

/** A shell without an environment was the client's before there were others. */
const runsLocally = ({ environment }: Fields): boolean =>
  environment === undefined || environment === null || fieldsOf(environment)['type'] === 'local'

/** Memory of a container that nobody asked another size for (OpenAI, "Code Interpreter"). */
const defaultMemory = '1g'

/** Containers are billed by their memory: 64 GB cost 64 times as much as one. */
function bySize(name: string, container: unknown): HostedTool['meters'] {
  const { memory_limit: limit } = fieldsOf(container)
  const size = limit === undefined || limit === null ? defaultMemory : written(limit)
  const sized: ToolMeter = `tool:${name}:${size}`
  return size === defaultMemory ? [sized, `tool:${name}`] : [sized]
}

/** How much of the web a search reads, as a client may choose it: dearer where it is more. */
const searchSizes: ReadonlySet<unknown> = new Set(['low', 'medium', 'high'])

/** Meters of a search: the price of a chosen size, or else the plain one. */
function searchMeters(name: string, size: unknown): HostedTool['meters'] {
  const plain: ToolMeter = `tool:${name}`
  return searchSizes.has(size) ? [`${plain}:${String(size)}`, plain] : [plain]
}

/**
 * Meters that a search of this size may be counted by where the card has them, the most exact first:
 * vendors that know no sizes are paid the plain price.
 */
export const soldSearches = (size: string | null, sells: Sells): readonly ToolMeter[] =>
  searchMeters('web_search', size).filter((meter) => sells(meter))

/** Searches that were counted, of whatever size. */
export function searchesIn(units: Units): number {
  let sum = 0
  for (const name in units)
    if (name === 'tool:web_search' || name.startsWith('tool:web_search:'))
      sum += units[name as Meter] ?? 0
  return sum
}

/**
 * Meters of generated images: the plain price by default, a price by name for a chosen quality or size, for pictures
 * shown before they are done (100 tokens each) and for an exact look at given ones, which all cost more.
 * @see https://platform.openai.com/docs/guides/image-generation#cost-and-latency, November 2026
 */
function pictureMeters(tool: Fields): HostedTool['meters'] {
  const { model, quality, size } = tool
  const { partial_images: partials, input_fidelity: fidelity } = tool
  const extras = [
    chosen(partials) === undefined || partials === 0 ? undefined : 'partial',
    chosen(fidelity) === undefined || fidelity === 'low' ? undefined : 'exact',
  ]
  const [maker, look, extent] = [model, quality, size].map(chosen)
  const both = look !== undefined && extent !== undefined
  const variants = both ? [[look, extent], [look], [extent]] : [[look, extent]]
  const [first, ...rest] = variants.map((variant): ToolMeter => {
    const words = [maker, ...variant, ...extras].filter((word) => word !== undefined)
    return words.length === 0 ? pictureMeter : `${pictureMeter}:${words.join(' ')}`
  })
  return [first ?? pictureMeter, ...rest]
}

const pictureMeter = 'tool:image_generation'

const chosen = (value: unknown): string | undefined =>
  value === undefined || value === null || value === 'auto' ? undefined : written(value)

const written = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value)

/** Whether clients offer it with every request, unasked: coding clients do. */
const isOfferedUnasked = (tool: unknown): boolean => {
  const { type } = fieldsOf(tool)
  return typeof type === 'string' && type.startsWith('web_search')
}

const meterOf = ({ meters }: HostedTool, sells: Sells): ToolMeter | null =>
  meters.find((meter) => sells(meter)) ?? null

/** Whether the vendor runs it and the model has no price for it. */
export function isUnsold(tool: unknown, sells: Sells): boolean {
  const hosted = hostedTool(tool)
  return hosted !== null && meterOf(hosted, sells) === null
}

/** Hosted tools that have a price, each meter once. */
export function soldTools(tools: readonly unknown[], sells: Sells): readonly SoldTool[] {
  const sold = new Map<ToolMeter, SoldTool>()
  for (const tool of tools) {
    const hosted = hostedTool(tool)
    const meter = hosted === null ? null : meterOf(hosted, sells)
    if (hosted !== null && meter !== null) sold.set(meter, { name: hosted.name, meter })
  }
  return [...sold.values()]
}

/** Names under which a vendor does the same, and tells it in the same items. */
const families: ReadonlyMap<string, string> = new Map([
  ['web_search_preview', 'web_search'],
  ['code_execution', 'code_interpreter'],
  ['collections_search', 'file_search'],
])

/** The name in the items and counts of a reply. */
export const toolFamily = (name: string): string => families.get(name) ?? name

/**
 * A tool that cannot be had: one that the vendor runs and that has no price, unless clients offer it
 * unasked, or one whose calls could not be told from those of another at another price.
 * @returns null when there is none
 */
export function refusedTool(offered: readonly OfferedTool[], sells: Sells): OfferedTool | null {
  const billed = new Map<string, ToolMeter>()
  for (const each of offered) {
    const hosted = hostedTool(each.tool)
    if (hosted === null) continue
    const meter = meterOf(hosted, sells)
    if (meter === null) {
      if (each.atOnce && isOfferedUnasked(each.tool)) continue
      return each
    }
    const family = toolFamily(hosted.name)
    if ((billed.get(family) ?? meter) !== meter) return each
    billed.set(family, meter)
  }
  return null
}

/** Tools that some vendor runs: a model of another vendor may have what this one has not. */
const hostedNames: ReadonlySet<string> = new Set([
  'web_search',
  'web_search_preview',
  'web_fetch',
  'x_search',
  'file_search',
  'collections_search',
  'code_interpreter',
  'code_execution',
  'image_generation',
  'mcp',
  'shell',
  'namespace',
  'advisor',
  'builtin_function',
  'browser_search',
  'retrieval',
  'programmatic_tool_calling',
  'google_search',
  'url_context',
  'live_search',
])

/** Types of tools by endpoint, as a refusal of one that nobody has tells them. */
const typesAt: Readonly<Record<string, string>> = {
  '/v1/chat/completions': 'function | custom',
  '/v1/messages':
    'custom | bash_20250124 | text_editor_20250728 | memory_20250818 | web_search_20250305',
  '/v1/responses':
    'function | custom | namespace | tool_search | local_shell | shell | apply_patch | computer | web_search',
}

/**
 * Refusal of a tool of a type that no vendor has.
 * @param path of the endpoint
 * @returns null for any other tool
 */
export function unknownTool(tool: unknown, path: string, param: string): GatewayError | null {
  const hosted = hostedTool(tool)
  const expected = typesAt[path]
  if (hosted === null || expected === undefined || !param.endsWith('.type')) return null
  const { type } = fieldsOf(tool)
  // Vendors mark those of their own by their names or a date: `openrouter:datetime`, `web_fetch_20260209`.
  const isMarked = hosted.name.includes(':') || type !== hosted.name
  const isKnown = isMarked || hostedNames.has(hosted.name)
  return isKnown ? null : invalid(param, expected)
}

/** Refusal of a tool that is not sold. @param path of the endpoint */
export function unsoldTool(
  tool: unknown,
  told: { readonly model: unknown; readonly path: string; readonly param: string },
): GatewayError {
  const { model, path, param } = told
  const unknown = unknownTool(tool, path, param)
  if (unknown !== null) return unknown
  const name = hostedTool(tool)?.meters[0].slice('tool:'.length) ?? 'tool_choice'
  const facts = { model: String(model), endpoint: `${path} (${name})` }
  return new GatewayError('endpoint_not_supported', facts, { param })
}

/** Usage with the calls of tools that the vendor ran. */
export const withToolsRun = (usage: Usage, ran: Units): Usage => ({
  ...usage,
  units: { ...usage.units, ...ran },
})

/** The tools of a request, each with its place. */
export const toolsOf = ({ tools }: Readonly<Fields>): readonly OfferedTool[] =>
  listOf(tools).map((tool, index) => ({ tool, param: `tools[${index}].type`, atOnce: true }))
