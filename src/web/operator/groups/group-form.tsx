import { TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { UsdInput } from '../../parts/usd-input'
import { queries } from '../../queries'
import { isUsd, plainNumber, usdField, usdOrNull } from '../../typed'
import { operate, type Result } from '../operate'
import { FormDialog } from '../../parts/form'

type Group = Result<'POST /groups'>

interface GroupFormProps {
  /** Null for a new one. */
  readonly group: Group | null
  readonly onClose: () => void
  readonly onMade?: (group: Group) => void
}

const text = (count: number | null | undefined): string =>
  typeof count === 'number' ? String(count) : ''
const countOrNull = (typed: string): number | null =>
  typed.trim() === '' ? null : Number(plainNumber(typed))
const isMoney = (typed: string): boolean => typed.trim() === '' || isUsd(typed)
const isCount = (typed: string): boolean =>
  typed.trim() === '' || /^[1-9]\d{0,8}$/.test(plainNumber(typed))

/** Name of a group, and the limits that it gives its accounts. */
export function GroupForm({ group, onClose, onMade }: GroupFormProps) {
  const t = useTranslations('groupForm')
  const [typed, setTyped] = useState({
    name: group?.name ?? '',
    daily: usdField(group?.daily_cap_usd ?? null),
    ceiling: usdField(group?.unverified_ceiling_usd ?? null),
    concurrency: text(group?.concurrency),
    rpm: text(group?.rpm),
    size: text(group?.max_request_kb),
  })
  const save = useMutation({
    mutationFn: () => {
      const body = {
        name: typed.name,
        daily_cap_usd: usdOrNull(typed.daily),
        unverified_ceiling_usd: usdOrNull(typed.ceiling),
        concurrency: countOrNull(typed.concurrency),
        rpm: countOrNull(typed.rpm),
        max_request_kb: countOrNull(typed.size),
      }
      return group === null
        ? operate('POST /groups', { body })
        : operate('PATCH /groups/{id}', { params: { id: group.id }, body })
    },
    async onSuccess(made) {
      await queries.invalidateQueries({ queryKey: ['op'] })
      onClose()
      onMade?.(made)
    },
  })
  const field = (name: keyof typeof typed) => ({
    label: t(name),
    value: typed[name],
    onChange: (event: { currentTarget: { value: string } }) =>
      setTyped({ ...typed, [name]: event.currentTarget.value }),
  })
  const { name, daily, ceiling, concurrency, rpm, size } = typed
  const isReady =
    name.trim() !== '' && [daily, ceiling].every(isMoney) && [concurrency, rpm, size].every(isCount)
  return (
    <FormDialog
      title={t(group === null ? 'add' : 'change')}
      action={t(group === null ? 'make' : 'save')}
      isReady={isReady}
      saving={save}
      onClose={onClose}
    >
      <TextInput
        {...field('name')}
        dir="auto"
        description={t('nameLead')}
        required
        withAsterisk={false}
        maxLength={60}
        data-autofocus
      />
      <UsdInput {...field('daily')} description={t('dailyLead')} />
      <UsdInput {...field('ceiling')} description={t('emptyLead')} />
      <TextInput {...field('concurrency')} inputMode="numeric" description={t('emptyLead')} />
      <TextInput {...field('rpm')} inputMode="numeric" description={t('emptyLead')} />
      <TextInput {...field('size')} inputMode="numeric" description={t('emptyLead')} />
    </FormDialog>
  )
}
