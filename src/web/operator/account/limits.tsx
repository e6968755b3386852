import { Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { useTranslations } from 'use-intl'
import { Dialog } from '../../parts/dialog'
import { UsdInput } from '../../parts/usd-input'
import { isUsd, plainNumber, usdField, usdOrNull } from '../../typed'
import { operate } from '../operate'
import { readAccountAgain, type Account } from './account'
import { FormEnd } from '../parts/form-end'

interface AccountLimitsProps {
  readonly account: Account
  readonly onClose: () => void
}

const countText = (count: number | null): string => (count === null ? '' : String(count))
const isCount = (text: string): boolean => /^[1-9]\d{0,8}$/.test(plainNumber(text))

const isMoney = (text: string): boolean => text.trim() === '' || isUsd(text)

/** Whether all that was typed can be saved. */
const isWhole = (typed: Readonly<Record<string, string>>): boolean =>
  typed['name']?.trim() !== '' &&
  isMoney(typed['daily'] ?? '') &&
  isMoney(typed['floor'] ?? '') &&
  isCount(typed['concurrency'] ?? '') &&
  isCount(typed['size'] ?? '') &&
  (typed['rpm']?.trim() === '' || isCount(typed['rpm'] ?? ''))

/** Name and limits of an account. */
export function AccountLimits({ account, onClose }: AccountLimitsProps) {
  const t = useTranslations('limits')
  const [typed, setTyped] = useState({
    name: account.name,
    daily: usdField(account.daily_cap_usd),
    floor: usdField(account.notice_floor_usd),
    concurrency: countText(account.concurrency),
    rpm: countText(account.rpm),
    size: countText(account.max_request_kb),
  })
  const save = useMutation({
    mutationFn: () =>
      operate('PATCH /accounts/{id}', {
        params: { id: account.id },
        body: {
          name: typed.name,
          daily_cap_usd: usdOrNull(typed.daily),
          notice_floor_usd: usdOrNull(typed.floor),
          concurrency: Number(plainNumber(typed.concurrency)),
          rpm: typed.rpm.trim() === '' ? null : Number(plainNumber(typed.rpm)),
          max_request_kb: Number(plainNumber(typed.size)),
        },
      }),
    async onSuccess() {
      await readAccountAgain()
      onClose()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  const field = (name: keyof typeof typed) => ({
    label: t(name),
    value: typed[name],
    onChange: (event: { currentTarget: { value: string } }) =>
      setTyped({ ...typed, [name]: event.currentTarget.value }),
  })
  return (
    <Dialog opened onClose={onClose} title={t('title')}>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            {...field('name')}
            required
            withAsterisk={false}
            maxLength={60}
            data-autofocus
          />
          <UsdInput {...field('daily')} description={t('dailyLead')} />
          <UsdInput {...field('floor')} description={t('floorLead')} />
          <TextInput {...field('concurrency')} inputMode="numeric" />
          <TextInput {...field('rpm')} inputMode="numeric" description={t('rpmLead')} />
          <TextInput {...field('size')} inputMode="numeric" />
          <FormEnd
            action={t('save')}
            error={save.error}
            isPending={save.isPending}
            isReady={isWhole(typed)}
            onClose={onClose}
          />
        </Stack>
      </form>
    </Dialog>
  )
}
