import type { Command } from 'commander'
import { leaf, type CommonOptions } from './leaf'
import { printJson, printLine } from './output'
import { quickstartKey, servingUrl } from './reach'

export function envCommand(program: Command): void {
  leaf(
    program,
    'env',
    'print the lines that make clients find the gateway',
    'env   # eval "$(chapar env)"',
  )
    .option('--key <secret>', 'key to use (default: the one that quickstart made)')
    .option(
      '--url <address>',
      'address of the gateway (default: the one that serves the data folder)',
    )
    .action((options: CommonOptions & { key?: string; url?: string }) => {
      const url = options.url ?? servingUrl(options.data)
      if (url === null)
        throw new RangeError(
          'no gateway serves this data folder: start chapar serve, or give --url',
        )
      const key = options.key ?? quickstartKey(options.data)
      if (key === null)
        throw new RangeError(
          'give a key with --key (chapar key create makes one), or run chapar quickstart',
        )
      const variables = { OPENAI_BASE_URL: `${url.replace(/\/+$/, '')}/v1`, OPENAI_API_KEY: key }
      if (options.json) return printJson(variables)
      for (const [name, value] of Object.entries(variables)) printLine(`export ${name}=${value}`)
    })
}
