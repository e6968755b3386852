import { Option, type Command } from 'commander'
import { clientVariables } from './client-variables'
import { leaf, type CommonOptions } from '../kit/command'
import { printJson, printLine } from '../kit/output'
import { gatewayUrl, keyNeeded, quickstartKey, type ReachOptions } from './find-gateway'

type Shell = 'sh' | 'fish'

export function envCommand(program: Command): void {
  leaf(
    program,
    'env',
    'print the variables by which clients find the gateway',
    'env   # eval "$(chapar env)", or in fish: chapar env --shell fish | source',
  )
    .option('--key <secret>', 'key to use (default: the one that quickstart made)')
    .option(
      '--url <address>',
      'address of the gateway (default: the one that serves the data folder)',
    )
    .addOption(new Option('--shell <name>', 'whose syntax').choices(['sh', 'fish']).default('sh'))
    .action((options: CommonOptions & ReachOptions & { shell: Shell }) => {
      const url = gatewayUrl(options)
      const key = options.key ?? quickstartKey(options.data)
      if (key === null) throw new RangeError(keyNeeded)
      const variables = clientVariables(url, key)
      if (options.json) return printJson(variables)
      for (const [name, value] of Object.entries(variables))
        printLine(assignment(options.shell, name, value))
    })
}

/** A line to evaluate; what stands in it never runs. */
function assignment(shell: Shell, name: string, value: string): string {
  if (shell === 'fish')
    return `set -gx ${name} ${quoted(value, (text) => text.replace(/[\\']/g, String.raw`\$&`))}`
  return `export ${name}=${quoted(value, (text) => text.replaceAll("'", String.raw`'\''`))}`
}

const quoted = (value: string, escape: (text: string) => string): string =>
  /^[\w:/.@%+=-]+$/.test(value) ? value : `'${escape(value)}'`
