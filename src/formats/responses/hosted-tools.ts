import type { Units, Usage } from '../../domain/usage'
import { domainsOf, locationOf, searchesUnlessTold, type WebSearch } from '../chat/web-search'
import { fieldsOf, isCount, isFields, listOf, type Fields } from '../chat/wire'
import type { ResponsesBody } from './schema'
import { readResponsesUsage } from './usage'

/** The name under which calls of a tool are counted and priced. */
export type ToolMeter = `tool:${string}`

/** Tools that run at the vendor and are paid by the call, beside the searches. */
const byTheCall: ReadonlySet<string> = new Set([
  'code_interpreter',
  'file_search',
  'image_generation',
])

/** What calls of a tool are counted by; null where they cost nothing beside the tokens. */
export function meterOfTool(type: unknown): ToolMeter | null {
  if (typeof type !== 'string') return null
  if (type.startsWith('web_search_preview')) return 'tool:web_search_preview'
  if (type.startsWith('web_search')) return 'tool:web_search'
  return byTheCall.has(type) ? `tool:${type}` : null
}

/** As many calls of tools at the vendor as a request may make. */
export function toolCeilings(body: ResponsesBody): Units {
  const most = mostToolCalls(body)
  const meters = (body.tools ?? []).map(({ type }) => meterOfTool(type))
  return Object.fromEntries(
    meters
      .filter((meter) => meter !== null)
      // However often its code runs, it runs in one container.
      .map((meter) => [meter, meter === 'tool:code_interpreter' ? 1 : most]),
  )
}

/** How often tools of the vendor may run, by the client or by custom. */
export function mostToolCalls(body: Readonly<Fields>): number {
  const { max_tool_calls: told } = body
  return isCount(told) ? told : searchesUnlessTold
}

/** Usage with what ran at the vendor. @returns null when it tells none */
export function usageOfResponse(response: Fields, tools: ResponsesBody['tools']): Usage | null {
  const usage = readResponsesUsage(response['usage'])
  if (usage === null) return null
  return { ...usage, units: { ...usage.units, ...toolsRun(response, tools) } }
}

/** What the vendor bills by the call, of what was asked for. Pages that are only opened are no searches. */
function toolsRun(response: Fields, tools: ResponsesBody['tools']): Units {
  const items = listOf(response['output']).filter(isFields)
  const { num_requests: told } = fieldsOf(fieldsOf(response['tool_usage'])['web_search'])
  const run = (meter: ToolMeter): number => {
    switch (meter) {
      case 'tool:web_search':
      case 'tool:web_search_preview':
        return isCount(told) ? told : items.filter(isSearch).length
      case 'tool:code_interpreter':
        return containers(items)
    }
    return items.filter(({ type }) => type === `${meter.slice('tool:'.length)}_call`).length
  }
  const meters = new Set((tools ?? []).map(({ type }) => meterOfTool(type)))
  return Object.fromEntries(
    [...meters]
      .filter((meter) => meter !== null)
      .map((meter) => [meter, run(meter)] as const)
      .filter(([, units]) => units > 0),
  )
}

const isSearch = ({ type, action }: Fields): boolean =>
  type === 'web_search_call' && (fieldsOf(action)['type'] ?? 'search') === 'search'

const containers = (items: readonly Fields[]): number =>
  new Set(
    items
      .filter(({ type }) => type === 'code_interpreter_call')
      .map(({ container_id: container, id }) => container ?? id),
  ).size

/** The search that the client offers, for vendors of other formats; null for none. */
export function searchOffered(body: ResponsesBody): WebSearch | null {
  const tool = body.tools?.find(({ type }) => type.startsWith('web_search'))
  if (tool === undefined) return null
  const { search_context_size: size, user_location: place, filters }: Fields = tool
  return {
    contextSize: typeof size === 'string' ? size : null,
    location: locationOf(fieldsOf(place)),
    domains: domainsOf(fieldsOf(filters)),
    most: mostToolCalls(body),
  }
}

/** All that is asked of vendors for clients of other formats. */
export const searches = [{ type: 'web_search' }]

/** The tool of this format for a search. */
export const searchTool = ({ contextSize, location, domains }: WebSearch): Fields => ({
  type: 'web_search',
  ...(contextSize === null ? {} : { search_context_size: contextSize }),
  ...(location === null ? {} : { user_location: { type: 'approximate', ...location } }),
  ...(domains === null ? {} : { filters: { allowed_domains: domains } }),
})
