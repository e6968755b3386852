import type { Static } from '@sinclair/typebox'
import { groupFields } from '../../../domain/fields/group-fields'
import { cell, counted, type CommandForm } from '../../operations/command'
import type { GoneGroupView, GroupView, GroupWithRules } from './group-view'
import { groupRuleCells, groupRuleHeads } from '../../pricing/operations/price-rule-commands'

type Viewed = Static<typeof GroupView>
type OneGroup = CommandForm<Viewed>

const which = {
  name: 'group',
  about: 'name of the group, or its number',
  as: 'place',
  kind: 'text',
} as const

const oneGroup = { params: { id: which }, object: 'group' }

const helpEnd = 'Accounts have these limits unless they have their own; none: those of the service.'

const list: CommandForm<{ readonly data: readonly Viewed[] }> = {
  words: 'group list',
  about: 'list groups of accounts, the newest first',
  example: 'group list',
  object: 'group',
  list: {
    pages: 'before',
    isNewestFirst: true,
    isWhole: true,
    columns: [
      ...new Set(['id', 'name', 'accounts', ...Object.values(groupFields).map(({ wire }) => wire)]),
      'created',
    ],
    heading: ['ID', 'NAME', 'ACCOUNTS', 'DAILY CAP', 'CONCURRENCY', 'RPM'],
    cells: (group) => [
      String(group.id),
      group.name,
      String(group.accounts),
      cell.usd(group.daily_cap_usd),
      cell.some(group.concurrency),
      cell.some(group.rpm),
    ],
  },
}

const show: CommandForm<Static<typeof GroupWithRules>> = {
  words: 'group show',
  about: 'show one group with its price rules',
  example: 'group show gold',
  ...oneGroup,
  said: ({ rules, ...fields }) => ({
    fields,
    stdout: rules.length === 0 ? [] : ['', [groupRuleHeads, ...rules.map(groupRuleCells)]],
  }),
}

const add: OneGroup = {
  words: 'group add',
  about: 'make a group of accounts',
  example: 'group add gold --daily-cap 50',
  places: { name: '<name>' },
  helpEnd,
  object: 'group',
  said: ({ id, name }) => ({
    stdout: [
      `group ${id} (${name})`,
      `next: chapar price rules set --group ${name} --markup -10 · chapar account set 1 --group ${name}`,
    ],
  }),
}

const set: OneGroup = {
  words: 'group set',
  about: 'change a group',
  example: 'group set gold --concurrency 20',
  ...oneGroup,
  helpEnd,
}

const remove: CommandForm<Static<typeof GoneGroupView>> = {
  words: 'group remove',
  about: 'remove a group with its price rules; its accounts stay, in no group',
  example: 'group remove gold',
  ...oneGroup,
  formerNames: ({ removed }) => ({ id: removed, deleted: true }),
  said: ({ name, accounts }) => ({
    stdout: [`group ${name} is removed; ${counted(accounts, 'account')} in no group now`],
  }),
}

/** Commands of operations on groups. */
export const groupCommands = { list, show, add, set, remove }
