import { Option, type Command } from 'commander'
import { endpoints } from '../catalogue/endpoints'
import { leaf, type CommonOptions } from './leaf'
import { printJson, printLine } from './output'
import { gatewayUrl, keyNeeded, quickstartKey, type ReachOptions } from './reach'

type Shell = 'sh' | 'fish'

export function envCommand(program: Command): void {
  leaf(
    program,
    'env',
    'print the lines that make clients find the gateway',
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
      const paths = Object.values(endpoints).map(({ path }) => path)
      const variables = clientVariables(url, key, paths)
      if (options.json) return printJson(variables)
      for (const [name, value] of Object.entries(variables))
        printLine(assignment(options.shell, name, value))
    })
}

/**
 * What clients read. Those of the Messages format are pointed here only if it is served: they
 * would otherwise be cut off from where they worked, and send their own key here.
 * @param url without its version @param paths of the endpoints that are served
 */
export function clientVariables(
  url: string,
  key: string,
  paths: readonly string[],
): Readonly<Record<string, string>> {
  const ours = { OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: key }
  if (!paths.includes('/v1/messages')) return ours
  return { ...ours, ANTHROPIC_BASE_URL: url, ANTHROPIC_AUTH_TOKEN: key }
}

/** A line to evaluate; what stands in it never runs. */
function assignment(shell: Shell, name: string, value: string): string {
  if (shell === 'fish')
    return `set -gx ${name} ${quoted(value, (text) => text.replace(/[\\']/g, String.raw`\$&`))}`
  return `export ${name}=${quoted(value, (text) => text.replaceAll("'", String.raw`'\''`))}`
}

const quoted = (value: string, escape: (text: string) => string): string =>
  /^[\w:/.@%+=-]+$/.test(value) ? value : `'${escape(value)}'`
