import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { UsdInput } from '../../parts/usd-input'
import { isUsd, plainNumber, usdField, usdOrNull } from '../../typed'
import { useMay } from '../me'
import { operate } from '../operate'
import { readAccountAgain, type Account } from './account'
import { FormDialog } from '../../parts/form'

interface AccountLimitsProps {
  readonly account: Account
  readonly onClose: () => void
}

const countText = (count: number | null): string => (count === null ? '' : String(count))
const isCount = (text: string): boolean => /^[1-9]\d{0,8}$/.test(plainNumber(text))

const isMoney = (text: string): boolean => text.trim() === '' || isUsd(text)

/** Whether all that was typed can be saved. */
const isWhole = ({ name, daily, floor, ceiling, concurrency, rpm, size }: Typed): boolean =>
  name.trim() !== '' &&
  [daily, floor, ceiling].every(isMoney) &&
  [concurrency, size].every(isCount) &&
  (rpm.trim() === '' || isCount(rpm))

/** The change that was typed: what stays as it was is not set, so that it stays its group's. */
function changeOf(account: Account, typed: Typed, isOwner: boolean): AccountChange {
  const was = typedOf(account)
  const { name, daily, floor, ceiling, concurrency, rpm, size, group, inherits } = typed
  const isSet = (field: keyof Typed) => typed[field] !== was[field]
  const limits = {
    ...(isSet('daily') ? { daily_cap_usd: usdOrNull(daily) } : {}),
    ...(isSet('ceiling') ? { unverified_ceiling_usd: usdOrNull(ceiling) } : {}),
    ...(isSet('concurrency') ? { concurrency: Number(plainNumber(concurrency)) } : {}),
    ...(isSet('rpm') ? { rpm: rpm.trim() === '' ? null : Number(plainNumber(rpm)) } : {}),
    ...(isSet('size') ? { max_request_kb: Number(plainNumber(size)) } : {}),
  }
  return {
    name,
    notice_floor_usd: usdOrNull(floor),
    ...(isSet('group') ? { group: group === '' ? null : Number(group) } : {}),
    ...(inherits
      ? { inherit: account.own_limits.filter((name) => isOwner || !owners.has(name)) }
      : limits),
  }
}

/** Limits that an owner alone sets. */
const owners: ReadonlySet<string> = new Set(['unverified_ceiling_usd'])

type AccountChange = Parameters<typeof operate<'PATCH /accounts/{id}'>>[1]['body']

const typedOf = (account: Account) => ({
  name: account.name,
  daily: usdField(account.daily_cap_usd),
  floor: usdField(account.notice_floor_usd),
  ceiling: usdField(account.unverified_ceiling_usd),
  concurrency: countText(account.concurrency),
  rpm: countText(account.rpm),
  size: countText(account.max_request_kb),
  group: account.group === null ? '' : String(account.group),
  inherits: false,
})
type Typed = ReturnType<typeof typedOf>

/** Form of an account's name, group and limits, for operators. */
export function AccountLimits({ account, onClose }: AccountLimitsProps) {
  const t = useTranslations('limits')
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
  const field = (name: Exclude<keyof Typed, 'inherits'>) => ({
    label: t(name),
    value: typed[name],
    onChange: (event: { currentTarget: { value: string } }) =>
      setTyped({ ...typed, [name]: event.currentTarget.value }),
  })
  const limit = (name: Parameters<typeof field>[0]) => ({
    ...field(name),
    disabled: typed.inherits,
  })
  return (
    <FormDialog
      title={t('title')}
      action={t('save')}
      isReady={isWhole(typed)}
      saving={save}
      onClose={onClose}
    >
      <TextInput {...field('name')} required withAsterisk={false} maxLength={60} data-autofocus />
      <GroupChoice
        account={account}
        value={typed.group}
        isFixed={!isOwner}
        onChange={(group) => setTyped({ ...typed, group })}
      />
      <UsdInput {...field('floor')} description={t('floorLead')} />
      <UsdInput {...limit('daily')} description={t('dailyLead')} />
      <UsdInput
        {...limit('ceiling')}
        description={t('ceilingLead')}
        disabled={typed.inherits || !isOwner}
      />
      <TextInput {...limit('concurrency')} inputMode="numeric" />
      <TextInput {...limit('rpm')} inputMode="numeric" description={t('rpmLead')} />
      <TextInput {...limit('size')} inputMode="numeric" />
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
