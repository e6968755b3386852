import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { UsdInput } from '../../parts/money/usd-input'
import { isUsd, usdField, usdOrNull } from '../../typed'
import { useMay } from '../me'
import { operate } from '../operate'
import { readAccountAgain, type Account } from './account'
import { FormDialog } from '../../parts/form-dialog'
import { accountLimitFields } from '../../../domain/fields/account-fields'
import { changedFields, isTyped, TableInputs, typedTable } from '../parts/table-fields'

interface AccountLimitsProps {
  readonly account: Account
  readonly onClose: () => void
}

/** Limits that an owner alone sets. */
const owners: ReadonlySet<string> = new Set(['unverified_ceiling_usd'])

type AccountChange = Parameters<typeof operate<'PATCH /accounts/{id}'>>[1]['body']

const typedOf = (account: Account) => ({
  name: account.name,
  floor: usdField(account.notice_floor_usd),
  group: account.group === null ? '' : String(account.group),
  inherits: false,
  limits: typedTable(accountLimitFields, account),
})
type Typed = ReturnType<typeof typedOf>

/** Whether all that was typed can be saved. */
const isWhole = ({ name, floor, limits }: Typed): boolean =>
  name.trim() !== '' && (floor.trim() === '' || isUsd(floor)) && isTyped(accountLimitFields, limits)

/** The change that was typed: what stays as it was is not set, so that it stays its group's. */
function changeOf(account: Account, typed: Typed, isOwner: boolean): AccountChange {
  const was = typedOf(account)
  const { name, floor, group, inherits, limits } = typed
  return {
    name,
    notice_floor_usd: usdOrNull(floor),
    ...(group === was.group ? {} : { group: group === '' ? null : Number(group) }),
    ...(inherits
      ? { inherit: account.own_limits.filter((name) => isOwner || !owners.has(name)) }
      : changedFields(accountLimitFields, limits, was.limits)),
  }
}

/** Form of an account's name, group and limits, for operators. */
export function AccountLimits({ account, onClose }: AccountLimitsProps) {
  const t = useTranslations('limits')
  const words = useTranslations('limitFields')
  const isOwner = useMay()('owner')
  const [typed, setTyped] = useState<Typed>(() => typedOf(account))
  const save = useMutation({
    mutationFn: () =>
      operate('PATCH /accounts/{id}', {
        params: { id: account.id },
        body: changeOf(account, typed, isOwner),
      }),
    async onSuccess() {
      await readAccountAgain()
      onClose()
    },
  })
  const lead = (wire: string) =>
    wire === 'daily_cap_usd'
      ? words('daily_lead')
      : wire === 'unverified_ceiling_usd'
        ? t('ceilingLead')
        : wire === 'rpm'
          ? t('rpmLead')
          : null
  return (
    <FormDialog title={t('title')} isReady={isWhole(typed)} saving={save} onClose={onClose}>
      <TextInput
        label={t('name')}
        value={typed.name}
        onChange={(event) => setTyped({ ...typed, name: event.currentTarget.value })}
        required
        withAsterisk={false}
        maxLength={60}
        data-autofocus
      />
      <GroupChoice
        account={account}
        value={typed.group}
        isFixed={!isOwner}
        onChange={(group) => setTyped({ ...typed, group })}
      />
      <UsdInput
        label={t('floor')}
        value={typed.floor}
        onChange={(event) => setTyped({ ...typed, floor: event.currentTarget.value })}
        description={t('floorLead')}
      />
      <TableInputs
        table={accountLimitFields}
        typed={typed.limits}
        onType={(limits) => setTyped({ ...typed, limits })}
        lead={lead}
        isDisabled={(wire) => typed.inherits || (owners.has(wire) && !isOwner)}
      />
      {account.own_limits.length > 0 && (
        <Checkbox
          label={t('inherit')}
          description={t('inheritLead', { count: account.own_limits.length })}
          checked={typed.inherits}
          onChange={(event) => setTyped({ ...typed, inherits: event.currentTarget.checked })}
        />
      )}
    </FormDialog>
  )
}

const maxGroups = 200

interface GroupChoiceProps {
  readonly account: Account
  readonly value: string
  /** Another group is an owner's to give. */
  readonly isFixed: boolean
  readonly onChange: (group: string) => void
}

/** The group of an account; nothing where there are no groups. */
function GroupChoice({ account, value, isFixed, onChange }: GroupChoiceProps) {
  const t = useTranslations('limits')
  const groups = useQuery({
    queryKey: ['op', 'groups', 'all'],
    queryFn: () => operate('GET /groups', { query: { max: maxGroups } }),
  })
  const listed = (groups.data?.data ?? []).map(({ id, name }) => ({
    value: String(id),
    label: name,
  }))
  const { group, group_name: name } = account
  const isListed = group === null || listed.some((each) => each.value === String(group))
  const held = isListed ? [] : [{ value: String(group), label: name ?? String(group) }]
  if (listed.length + held.length === 0) return null
  return (
    <NativeSelect
      label={t('group')}
      description={t('groupLead')}
      value={value}
      disabled={isFixed}
      onChange={(event) => onChange(event.currentTarget.value)}
      data={[{ value: '', label: t('noGroup') }, ...held, ...listed]}
    />
  )
}
