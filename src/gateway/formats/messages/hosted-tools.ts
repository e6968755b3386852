import type { Units } from '../../../domain/usage'
import { maxSearchesOf } from '../chat/web-search'
import { fieldsOf, isCount, isFields, isText, listOf, type Fields } from '../../json/fields'
import {
  isUnsold,
  soldTools,
  toolsOf,
  type OfferedTool,
  type Sells,
  type SoldTool,
} from '../hosted-tools'

/** All tools of a request: offered at once, of servers that the vendor asks, or added later. */
export function offeredTools(body: Readonly<Fields>): readonly OfferedTool[] {
  const { messages, mcp_servers: servers } = body
  const offered = [...toolsOf(body)]
  const add = (tool: unknown, param: string) => offered.push({ tool, param, atOnce: false })
  if (listOf(servers).length > 0) add({ type: 'mcp' }, 'mcp_servers')
  for (const [at, message] of listOf(messages).entries())
    for (const [index, block] of listOf(fieldsOf(message)['content']).entries()) {
      const { type, tool } = fieldsOf(block)
      if (type !== 'tool_addition') continue
      const { definition } = fieldsOf(tool)
      add(definition, `messages[${at}].content[${index}].tool.definition.type`)
    }
  return offered
}

/** Tools of a request that the vendor runs at a price. */
export const soldIn = (body: Readonly<Fields>, sells: Sells): readonly SoldTool[] =>
  soldTools(
    offeredTools(body).map(({ tool }) => tool),
    sells,
  )

/** Upper bound of the calls of hosted tools that a request may make. */
export function toolCeilings(body: Readonly<Fields>, sells: Sells): Units {
  const units: Record<`tool:${string}`, number> = {}
  for (const { tool } of offeredTools(body))
    for (const { meter } of soldTools([tool], sells))
      units[meter] = (units[meter] ?? 0) + maxSearchesOf(fieldsOf(tool)['max_uses'])
  return units
}

/** Whether a forced choice of tool hangs on one that cannot be had. */
export function isChoiceUnsold(body: Readonly<Fields>, sells: Sells): boolean {
  const { type, name } = fieldsOf(body['tool_choice'])
  const tools = offeredTools(body).map(({ tool }) => tool)
  const unsold = tools.filter((tool) => isUnsold(tool, sells))
  if (type === 'any') return tools.length > 0 && unsold.length === tools.length
  return type === 'tool' && unsold.some((tool) => fieldsOf(tool)['name'] === name)
}

/**
 * Names of the blocks in which a vendor tells of one tool, where they are others than its own.
 * @see anthropics/anthropic-sdk-typescript 1.11.0, `src/resources/messages/messages.ts`
 *   (`ServerToolUseBlock`)
 */
const blockNames: Readonly<Record<string, readonly string[]>> = {
  code_execution: ['code_execution', 'bash_code_execution', 'text_editor_code_execution'],
}

/**
 * Calls of tools that the vendor ran, as its usage tells (`ServerToolUsage`), or else by the blocks of the
 * answer.
 * @param usage as it stands on the wire
 */
export function toolsRun(
  blocks: readonly unknown[],
  usage: unknown,
  sold: readonly SoldTool[],
): Units {
  const { server_tool_use: reported } = fieldsOf(usage)
  const runs = ({ name }: SoldTool): number => {
    const count = fieldsOf(reported)[`${name}_requests`]
    return isCount(count) ? count : blocks.filter((block) => isCallOf(name, block)).length
  }
  return Object.fromEntries(
    sold.map((tool) => [tool.meter, runs(tool)] as const).filter(([, units]) => units > 0),
  )
}

function isCallOf(tool: string, block: unknown): boolean {
  if (!isFields(block)) return false
  const { type, name } = block
  if (type === 'mcp_tool_use') return tool === 'mcp'
  return type === 'server_tool_use' && isText(name) && (blockNames[tool] ?? [tool]).includes(name)
}
