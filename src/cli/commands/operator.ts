import type { Command } from 'commander'
import {
  addOperator,
  linkOperator,
  removeOperator,
  resetOperator,
  setOperatorRole,
  type InvitedOperator,
} from '../../admin/operators'
import { readConfig } from '../../app/config'
import { linkUrl } from '../../operators/links'
import type { Operator } from '../../operators/operator'
import type { OperatorRole } from '../../operators/role'
import { branch, leaf, withNewStorage, withStorage, type CommonOptions } from '../kit/leaf'
import { printList, withCsv, type ListForm, type ListOptions } from '../kit/listing'
import { printError, printFields, printJson, printLine } from '../kit/output'
import { serviceNames } from './configured-service'
import { operatorKeyCommand } from './operator-key'
import { operatorLoginCommand } from './operator-login'
import { tellEnded } from './ended-rights'
import { operatorParts, roleOption } from './operator-options'
import { servingNote } from './reach'

interface RoleOptions extends CommonOptions {
  readonly role: OperatorRole
}

const operatorView = ({ name, role, isReady, created }: Operator) => ({
  object: 'operator',
  name,
  role,
  ready: isReady,
  created: new Date(created).toISOString(),
})

export function operatorCommand(program: Command): void {
  const operator = branch(program, 'operator', 'Manage operators of the console, and their keys')
  operatorKeyCommand(operator)
  operatorLoginCommand(operator)

  leaf(operator, 'add', 'add an operator, who follows a link', 'operator add sara --role staff')
    .argument('<name>', 'small letters, digits, dots, dashes and underscores')
    .addOption(roleOption().makeOptionMandatory())
    .action(async (name: string, options: RoleOptions) => {
      const { role } = options
      const made = await withNewStorage(options, (storage) =>
        addOperator(operatorParts(storage), { name, role }),
      )
      await tellLink(made, options)
    })

  withCsv(leaf(operator, 'list', 'list operators with their roles', 'operator list')).action(
    async (options: ListOptions) => {
      const all = await withStorage(options, ({ operators }) => operators.list())
      return await printList(options, all.map(operatorView), form)
    },
  )

  leaf(operator, 'set', 'give an operator another role', 'operator set sara --role owner')
    .argument('<name>', 'name of the operator')
    .addOption(roleOption().makeOptionMandatory())
    .action(async (name: string, options: RoleOptions) => {
      const changed = await withStorage(options, (storage) =>
        setOperatorRole(operatorParts(storage), name, options.role),
      )
      const view = operatorView(changed.operator)
      if (options.json) return printJson({ ...view, ended: changed.ended })
      printFields(view)
      tellEnded(changed.ended)
    })

  leaf(
    operator,
    'remove',
    'sign an operator out for good; the name is never given anew',
    'operator remove sara',
  )
    .argument('<name>', 'name of the operator')
    .action(async (name: string, options: CommonOptions) => {
      const removed = await withStorage(options, (storage) =>
        removeOperator(operatorParts(storage), name),
      )
      const view = operatorView(removed.operator)
      if (options.json) return printJson({ ...view, removed: true, ended: removed.ended })
      printLine(`${removed.operator.name} is signed out, and signs in no more`)
      tellEnded(removed.ended)
    })

  linkCommands(operator)
}

/** Commands that print a link again. */
function linkCommands(operator: Command): void {
  leaf(
    operator,
    'reset',
    'forget password, one-time codes and passkeys of an operator, and print another link',
    'operator reset sara',
  )
    .argument('<name>', 'name of the operator')
    .action(async (name: string, options: CommonOptions) => {
      const made = await withStorage(options, (storage) =>
        resetOperator(operatorParts(storage), name),
      )
      await tellLink(made, options, { ended: made.ended })
      // Beside the output, which is the link alone.
      if (!options.json) tellEnded(made.ended, printError)
    })

  leaf(
    operator,
    'link',
    'print another link for the first operator, or for one who has not followed theirs',
    'operator link',
  )
    .argument('[name]', 'name of the operator (default: the first owner)')
    .action(async (name: string | undefined, options: CommonOptions) => {
      const made = await withNewStorage(options, (storage) =>
        linkOperator(operatorParts(storage), name ?? null),
      )
      await tellLink(made, options)
    })
}

const form: ListForm<ReturnType<typeof operatorView>> = {
  columns: ['name', 'role', 'ready', 'created'],
  heading: ['NAME', 'ROLE', 'READY', 'CREATED'],
  cells: (each) => [each.name, each.role, each.ready ? 'yes' : 'no', each.created],
}

type Made = Pick<InvitedOperator, 'token' | 'expires'> & { readonly operator: Operator | null }

async function tellLink(
  { operator, token, expires }: Made,
  options: CommonOptions,
  more: object = {},
): Promise<void> {
  const link = linkUrl(await operatorUrl(options), token)
  const until = new Date(expires).toISOString()
  if (options.json)
    return printJson({
      object: 'operator_link',
      operator: operator?.name ?? null,
      role: operator?.role ?? 'owner',
      link,
      expires: until,
      ...more,
    })
  printLine(link)
  printError(
    `whoever opens it ${operator === null ? 'becomes the first owner' : `is ${operator.name}`}: once, within 30 minutes`,
  )
}

/** Where operators reach the service: as the gateway that serves has it, else as this shell says. */
async function operatorUrl(options: CommonOptions): Promise<string> {
  const serving = servingNote(options.data)?.operatorUrl ?? null
  if (serving !== null) return serving
  const { operators, host, port } = readConfig(process.env)
  const [publicUrl] = (await serviceNames(options)).baseUrls
  return operators.url ?? publicUrl ?? `http://${host}:${port}`
}
