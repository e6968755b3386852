import type { Command } from 'commander'
import { askChat } from './chat-client'
import { leaf, type CommonOptions } from './leaf'
import { printJson, printLine, printPart } from './output'
import { quickstartKey, servingUrl } from './reach'

interface ChatOptions extends CommonOptions {
  readonly model: string
  readonly url?: string
  readonly key?: string
  readonly maxTokens?: string
}

export function chatCommand(program: Command): void {
  leaf(program, 'chat', 'one streamed answer with its cost', 'chat "سلام" --model sandbox/echo')
    .argument('<text>', 'what to say; - reads standard input')
    .option('--model <id>', 'model', 'sandbox/echo')
    .option(
      '--url <address>',
      'address of the gateway (default: the one that serves the data folder)',
    )
    .option('--key <secret>', 'key (default: quickstart’s, or OPENAI_API_KEY)')
    .option('--max-tokens <n>', 'most tokens of the answer')
    .action(async (text: string, options: ChatOptions) => {
      const url = options.url ?? servingUrl(options.data) ?? ownUrl()
      if (url === null)
        throw new RangeError(
          'no gateway serves this data folder: start chapar serve, or give --url',
        )
      const key = options.key ?? quickstartKey(options.data) ?? process.env['OPENAI_API_KEY']
      if (key === undefined)
        throw new RangeError(
          'give a key with --key (chapar key create makes one), or run chapar quickstart',
        )
      const answer = await askChat({
        url,
        key,
        model: options.model,
        text: text === '-' ? await Bun.stdin.text() : text,
        maxTokens: options.maxTokens === undefined ? null : Number(options.maxTokens),
        onText: options.json ? () => {} : printPart,
      })
      if (options.json) return printJson(answer)
      const { prompt_tokens: input, completion_tokens: output } = answer.usage
      printLine(`\n\n${input} tokens in, ${output} out · $${answer.cost_usd} · ${answer.id}`)
    })
}

/** The address in the environment, without its version. */
const ownUrl = (): string | null =>
  process.env['OPENAI_BASE_URL']?.trim().replace(/\/v1\/?$/, '') || null
