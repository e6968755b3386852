import type { Command } from 'commander'

const helpWidth = 96

/**
 * Help of every command in Markdown, below the headings that the program's own help has.
 * @param program the whole command line
 */
export function describeCommands(program: Command): string {
  const groups = Map.groupBy(visible(program), (command) => command.helpGroup())
  return [...groups]
    .filter(([heading]) => heading !== '')
    .map(([heading, commands]) => {
      const parts = commands.map((command) => withinCommand(command, [program.name()]))
      return `## ${heading.replace(/:$/, '')}\n\n${parts.join('\n')}`
    })
    .join('\n')
}

/** One heading a command that does something; a word that only holds others has none. */
function withinCommand(command: Command, path: readonly string[]): string {
  const names = [...path, command.name()]
  const inner = visible(command)
  if (inner.length > 0) return inner.map((each) => withinCommand(each, names)).join('\n')
  return `### ${names.slice(1).join(' ')}\n\n\`\`\`\n${helpOf(command)}\n\`\`\`\n`
}

const visible = (command: Command): readonly Command[] =>
  command
    .createHelp()
    .visibleCommands(command)
    .filter((each) => each.name() !== 'help')

/** As `--help` prints it, examples included. */
function helpOf(command: Command): string {
  const usual = { ...command.configureOutput() }
  let help = ''
  command.configureOutput({
    writeOut: (text) => void (help += text),
    getOutHelpWidth: () => helpWidth,
    getOutHasColors: () => false,
  })
  command.outputHelp()
  command.configureOutput(usual)
  return help.trim()
}
