import type { Command } from 'commander'
import { fieldsOf, listOf } from '../../gateway/json/fields'
import { getJson } from '../../gateway/outbound/get-json'
import { requestChat } from './chat-client'
import { leaf, read, type CommonOptions } from '../kit/command'
import { printJson, printLine, printPart, withoutControls } from '../kit/output'
import { servingUrl } from '../../server/serving-note'
import { gatewayUrl, keyNeeded, quickstartKey, type ReachOptions } from './find-gateway'

interface ChatOptions extends CommonOptions, ReachOptions {
  readonly model?: string
  readonly maxTokens?: number
}

const usualModel = 'sandbox/echo'

export function chatCommand(program: Command): void {
  leaf(
    program,
    'chat',
    'ask one question; prints the streamed answer and its cost',
    'chat "سلام" --model sandbox/echo',
  )
    .argument('<text>', 'what to say; - reads standard input')
    .option('--model <id>', `model (default: ${usualModel}, or the first on sale)`)
    .option(
      '--url <address>',
      'address of the gateway (default: the one that serves the data folder, or OPENAI_BASE_URL)',
    )
    .option('--key <secret>', 'key (default: quickstart’s, or OPENAI_API_KEY)')
    .option('--max-tokens <n>', 'most tokens of the answer', read.count)
    .action(chat)
}

async function chat(text: string, options: ChatOptions): Promise<void> {
  const { url, key } = reachOf(options)
  let begun = false
  const show = (piece: string) => {
    begun = true
    printPart(withoutControls(piece))
  }
  try {
    const answer = await requestChat({
      url,
      key,
      model: options.model ?? (await modelOnSale(url)),
      text: text === '-' ? await Bun.stdin.text() : text,
      maxTokens: options.maxTokens ?? null,
      onText: options.json ? () => {} : show,
    })
    if (options.json) return printJson(answer)
    const { prompt_tokens: input, completion_tokens: output } = answer.usage
    const cost = answer.cost_usd === null ? 'cost unknown' : `$${answer.cost_usd}`
    printLine(`\n\n${input} tokens in, ${output} out · ${cost} · ${answer.id}`)
  } catch (thrown) {
    // What is said of the failure begins a line of its own.
    if (begun) printLine()
    throw thrown
  }
}

/**
 * Whom to ask, and with which key. Quickstart's key goes to the gateway that it was made for only.
 * @throws RangeError when either is not known
 */
function reachOf(options: ChatOptions): { readonly url: string; readonly key: string } {
  const { env } = process
  const serving = servingUrl(options.data)
  const named = options.url ?? serving ?? env['OPENAI_BASE_URL']?.trim()
  const url = gatewayUrl({ data: options.data, ...(named ? { url: named } : {}) })
  const kept = url === serving ? quickstartKey(options.data) : null
  const key = options.key ?? kept ?? env['OPENAI_API_KEY']?.trim()
  if (!key) throw new RangeError(keyNeeded)
  return { url, key }
}

const listMs = 5000

/** The usual model where it is sold, or else the first. */
async function modelOnSale(url: string): Promise<string> {
  const { body } = await getJson(`${url}/v1/models?type=chat`, new Headers(), listMs)
  const ids = listOf(fieldsOf(body)['data']).flatMap((model) => {
    const { id, capabilities } = fieldsOf(model)
    // What speaks over sockets alone writes no answer.
    const writes = fieldsOf(capabilities)['realtime'] !== true
    return typeof id === 'string' && writes ? [id] : []
  })
  return ids.includes(usualModel) ? usualModel : (ids[0] ?? usualModel)
}
