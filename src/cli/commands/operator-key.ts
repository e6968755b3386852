import type { Command } from 'commander'
import { createOperatorKey, revokeOperatorKey } from '../../admin/operators'
import type { Ms } from '../../domain/clock'
import type { OperatorKeyId } from '../../domain/ids'
import type { OperatorKey } from '../../operators/operator'
import type { OperatorRole } from '../../operators/role'
import { readExpiry } from '../kit/expiry'
import {
  branch,
  leaf,
  lifted,
  read,
  withNewStorage,
  withStorage,
  type CommonOptions,
} from '../kit/leaf'
import { printList, withCsv, type ListForm, type ListOptions } from '../kit/listing'
import { printError, printJson, printLine } from '../kit/output'
import { tellEnded } from './ended-rights'
import { operatorParts, roleOption } from './operator-options'

interface CreateOptions extends CommonOptions {
  readonly name: string
  readonly role: OperatorRole
  readonly expires: Ms | 'none'
}

const timeOf = (at: Ms | null): string | null => (at === null ? null : new Date(at).toISOString())

const keyView = ({ id, name, role, prefix, by, created, expires, revoked }: OperatorKey) => ({
  id,
  object: 'operator_key',
  name,
  role,
  prefix,
  by,
  created: timeOf(created),
  expires: timeOf(expires),
  revoked: timeOf(revoked),
})

/** Keys of programs, for /admin/v1 and --remote. */
export function operatorKeyCommand(operator: Command): void {
  const key = branch(operator, 'key', 'Manage keys for /admin/v1 and --remote')

  leaf(
    key,
    'create',
    'make a key and show its secret, once',
    'operator key create --name deploys --role staff --expires 90d',
  )
    .requiredOption('--name <name>', 'name, for people', read.name)
    .addOption(roleOption().makeOptionMandatory())
    .requiredOption('--expires <when>', 'a date, a span such as 90d, or none', readExpiry)
    .action(async (options: CreateOptions) => {
      const { name, role } = options
      const expires = lifted(options.expires) ?? null
      const { key, secret } = await withNewStorage(options, (storage) =>
        createOperatorKey(operatorParts(storage), { name, role, expires }),
      )
      if (options.json) return printJson({ ...keyView(key), key: secret })
      printLine(secret)
      printError(
        `key ${key.id} (${key.name}, ${key.role}). This is the only time that it is shown.`,
      )
    })

  withCsv(leaf(key, 'list', 'list keys, without their secrets', 'operator key list')).action(
    async (options: ListOptions) => {
      const all = await withStorage(options, ({ operators }) => operators.keys())
      const views = all.map((each) => ({ ...keyView(each), effective_role: each.effectiveRole }))
      return await printList(options, views, form)
    },
  )

  leaf(key, 'revoke', 'revoke a key for good', 'operator key revoke 1')
    .argument('<key>', 'id of the key', read.id<OperatorKeyId>)
    .action(async (id: OperatorKeyId, options: CommonOptions) => {
      const { key, ended } = await withStorage(options, (storage) =>
        revokeOperatorKey(operatorParts(storage), id),
      )
      if (options.json) return printJson({ ...keyView(key), ended })
      printLine(`${key.name} (${key.prefix}…) is revoked`)
      tellEnded(ended)
    })
}

interface ListedView extends ReturnType<typeof keyView> {
  /** By now; null once it is over. */
  readonly effective_role: OperatorRole | null
}

const form: ListForm<ListedView> = {
  columns: [
    'id',
    'name',
    'role',
    'effective_role',
    'prefix',
    'by',
    'created',
    'expires',
    'revoked',
  ],
  heading: ['ID', 'NAME', 'ROLE', 'PREFIX', 'BY', 'EXPIRES', 'REVOKED'],
  cells: (each) => [
    String(each.id),
    each.name,
    each.effective_role ?? 'over',
    `${each.prefix}…`,
    each.by,
    each.expires ?? '–',
    each.revoked ?? '–',
  ],
}
