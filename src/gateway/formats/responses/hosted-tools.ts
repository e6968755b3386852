import type { Units, Usage } from '../../../domain/usage'
import { domainsOf, locationOf, defaultSearches, type WebSearch } from '../chat/web-search'
import { fieldsOf, isCount, isFields, listOf, type Fields } from '../../json/fields'
import {
  hostedTool,
  isUnsold,
  soldTools,
  toolFamily,
  toolsOf,
  withToolsRun,
  type OfferedTool,
  type Sells,
  type SoldTool,
} from '../hosted-tools'
import { withServed } from '../served'
import type { ResponsesBody } from './schema'
import { readResponsesUsage } from './usage'

/** All tools of a request: offered at once, found by searches of earlier turns, or added later. */
export function offeredTools(body: Readonly<Fields>): readonly OfferedTool[] {
  const offered = [...toolsOf(body)]
  for (const [index, item] of listOf(body['input']).entries())
    for (const { param, ...added } of toolsOf(fieldsOf(item)))
      offered.push({ ...added, param: `input[${index}].${param}`, atOnce: false })
  return offered
}

/** Tools of a request that the vendor runs at a price. */
export const soldIn = (body: Readonly<Fields>, sells: Sells): readonly SoldTool[] =>
  soldTools(
    offeredTools(body).map(({ tool }) => tool),
    sells,
  )

/** The client's choice among its tools, as far as it can be had. */
interface HadChoice {
  /** It hangs on a tool that cannot be had. */
  readonly isUnsold: boolean
  /** Tool choice without tools that are not sold. */
  readonly choice: unknown
}

/** The tool choice as far as its tools are sold. @param body whose tools and choice of tool they are */
export function hadChoice(body: Readonly<Fields>, sells: Sells): HadChoice {
  const { tool_choice: choice } = body
  const tools = offeredTools(body).map(({ tool }) => tool)
  const had = tools.filter((tool) => !isUnsold(tool, sells))
  const names = new Set(had.map((tool) => hostedTool(tool)?.name))
  const isMissing = (tool: unknown): boolean => {
    const named = hostedTool(tool)
    return named !== null && !names.has(named.name)
  }
  if (choice === 'required') return { isUnsold: tools.length > 0 && had.length === 0, choice }
  const { type, mode, tools: list } = fieldsOf(choice)
  if (type !== 'allowed_tools')
    return { isUnsold: type !== undefined && isMissing({ type }), choice }
  const allowed = listOf(list)
  const left = allowed.filter((tool) => !isMissing(tool))
  if (left.length === allowed.length) return { isUnsold: false, choice }
  if (left.length > 0) return { isUnsold: false, choice: { ...fieldsOf(choice), tools: left } }
  return { isUnsold: mode === 'required', choice: 'none' }
}

/** Tools that run in one container, however often they run: OpenAI bills the container, not the call. */
const inContainers: ReadonlySet<string> = new Set(['code_interpreter', 'shell'])

/** Upper bound of the calls of hosted tools that a request may make. */
export function toolCeilings(body: Readonly<Fields>, sells: Sells): Units {
  const max = maxToolCalls(body)
  return Object.fromEntries(
    soldIn(body, sells).map(({ name, meter }) => [meter, inContainers.has(name) ? 1 : max]),
  )
}

/** How often tools of the vendor may run, by the client or by custom. */
function maxToolCalls(body: Readonly<Fields>): number {
  const { max_tool_calls: requested } = body
  return isCount(requested) ? requested : defaultSearches
}

/** Usage with the hosted tools that ran. @returns null when the vendor reports none */
export function usageOfResponse(response: Fields, sold: readonly SoldTool[]): Usage | null {
  const usage = withServed(readResponsesUsage(response['usage']), response)
  return usage === null ? null : withToolsRun(usage, toolsRun(response, sold))
}

/** Calls of tools that the vendor ran, as told in numbers, or else by the items of the output. */
export function toolsRun(response: Fields, sold: readonly SoldTool[]): Units {
  const items = listOf(response['output']).filter(isFields)
  return Object.fromEntries(
    sold
      .map(({ name, meter }) => [meter, toldRuns(name, response) ?? runsIn(items, name)] as const)
      .filter(([, units]) => units > 0),
  )
}

/**
 * OpenAI counts searches in `tool_usage` (openai/openai-node 7.55, `Response.ToolUsage`), xAI each tool in
 * `usage.server_side_tool_usage_details`, as its replies show.
 * @returns undefined where neither tells of this tool
 */
function toldRuns(name: string, response: Fields): number | undefined {
  const family = toolFamily(name)
  const details = fieldsOf(fieldsOf(response['usage'])['server_side_tool_usage_details'])
  const { num_requests: searches } = fieldsOf(fieldsOf(response['tool_usage'])[family])
  const names = [`${family}_calls`, ...(family === 'file_search' ? ['document_search_calls'] : [])]
  const reported = names.map((each) => details[each]).filter(isCount)
  if (isCount(searches)) return searches
  return reported.length === 0 ? undefined : reported.reduce((sum, count) => sum + count, 0)
}

function runsIn(items: readonly Fields[], name: string): number {
  const family = toolFamily(name)
  const calls = items.filter(({ type }) => type === `${family}_call`)
  switch (family) {
    case 'web_search':
      return calls.filter(isSearch).length
    case 'code_interpreter':
      return new Set(calls.map(({ container_id: container, id }) => container ?? id)).size
    case 'shell':
      return new Set(calls.map(({ environment }) => fieldsOf(environment)['container_id'])).size
    case 'x_search':
      return calls.length + items.filter(isPostSearch).length
    case 'programmatic_tool_calling':
      return items.filter(({ type }) => type === 'program').length
  }
  return calls.length
}

/** Pages that are only opened are no searches. */
const isSearch = ({ action }: Fields): boolean =>
  (fieldsOf(action)['type'] ?? 'search') === 'search'

/** xAI tells of searches of posts as calls of custom tools of these names. */
const isPostSearch = ({ type, name }: Fields): boolean =>
  type === 'custom_tool_call' && typeof name === 'string' && postSearches.has(name)

const postSearches: ReadonlySet<string> = new Set([
  'x_user_search',
  'x_keyword_search',
  'x_semantic_search',
  'x_thread_fetch',
])

/** The search that the client offers, for vendors of other formats; null for none. */
export function searchOffered(body: ResponsesBody): WebSearch | null {
  const tool = offeredTools(body)
    .map((each) => fieldsOf(each.tool))
    .find(({ type }) => typeof type === 'string' && type.startsWith('web_search'))
  // What it would find is kept by its own vendor alone.
  if (tool === undefined || tool['external_web_access'] === false) return null
  const { search_context_size: size, user_location: place, filters } = tool
  return {
    contextSize: typeof size === 'string' ? size : null,
    location: locationOf(fieldsOf(place)),
    domains: domainsOf(fieldsOf(filters)),
    maxSearches: maxToolCalls(body),
  }
}

/** All that is asked of vendors for clients of other formats. */
export const searches: readonly SoldTool[] = [{ name: 'web_search', meter: 'tool:web_search' }]

/** The tool of this format for a search. */
export const searchTool = ({ contextSize, location, domains }: WebSearch): Fields => ({
  type: 'web_search',
  ...(contextSize === null ? {} : { search_context_size: contextSize }),
  ...(location === null ? {} : { user_location: { type: 'approximate', ...location } }),
  ...(domains === null ? {} : { filters: { allowed_domains: domains } }),
})
