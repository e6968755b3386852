import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { useTranslations } from 'use-intl'
import { Dialog } from '../../parts/dialog'
import { Failed } from '../../parts/failed'
import { UsdInput } from '../../parts/usd-input'
import { isUsd, plainNumber, usdField, usdOrNull } from '../../typed'
import { operate } from '../operate'
import { readAccountAgain, type Account } from './account'

interface AccountLimitsProps {
  readonly account: Account
  readonly onClose: () => void
}

const countText = (count: number | null): string => (count === null ? '' : String(count))
const isCount = (text: string): boolean => /^[1-9]\d{0,8}$/.test(plainNumber(text))

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
  const isMoney = (text: string) => text.trim() === '' || isUsd(text)
  const isWhole =
    typed.name.trim() !== '' &&
    isMoney(typed.daily) &&
    isMoney(typed.floor) &&
    isCount(typed.concurrency) &&
    isCount(typed.size) &&
    (typed.rpm.trim() === '' || isCount(typed.rpm))
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
          <Failed error={save.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" loading={save.isPending} disabled={!isWhole}>
              {t('save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
