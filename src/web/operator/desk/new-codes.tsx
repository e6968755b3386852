import { Alert, Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { useNumbers } from '../../numbers'
import { CopyLines } from '../../parts/copy-once'
import { Dialog } from '../../parts/dialog'
import { UsdInput } from '../../parts/money/usd-input'
import { queries } from '../../queries'
import { isUsd, plainNumber } from '../../typed'
import { operate } from '../operate'
import { FormDialog } from '../../parts/form-dialog'
import { useTyped } from '../../parts/form'

/** Refetches redeem codes: some were made or revoked. */
export const readCodesAgain = (): Promise<void> =>
  queries.invalidateQueries({ queryKey: ['op', 'codes'] })

const lives = [0, 30, 90, 365] as const
const dayMs = 86_400_000

const expiryOf = (days: number): string | null =>
  days === 0 ? null : new Date(Date.now() + days * dayMs).toISOString()

/** Dialog that makes redeem codes, and shows them this once. */
export function NewCodes({ onClose }: { readonly onClose: () => void }) {
  const t = useTranslations('codes')
  const { count, usd } = useNumbers()
  const { typed, field } = useTyped({ usd: '', count: '1', batch: '', days: '0' })
  const many = Number(plainNumber(typed.count))
  const make = useMutation({
    mutationFn: () =>
      operate('POST /codes', {
        body: {
          usd: plainNumber(typed.usd),
          count: many,
          expires: expiryOf(Number(typed.days)),
          ...(typed.batch.trim() === '' ? {} : { batch: typed.batch }),
        },
      }),
    onSuccess: readCodesAgain,
  })
  if (make.data !== undefined) return <MadeCodes made={make.data} onClose={onClose} />
  const isWhole = isUsd(typed.usd) && Number.isInteger(many) && many >= 1 && many <= 1000
  return (
    <FormDialog
      title={t('make')}
      action={
        isWhole
          ? t('makeNow', {
              count: count(many),
              total: usd(String(many * Number(plainNumber(typed.usd)))),
            })
          : t('make')
      }
      isReady={isWhole}
      saving={make}
      onClose={onClose}
    >
      <UsdInput label={t('worth')} {...field('usd')} required withAsterisk={false} data-autofocus />
      <TextInput
        label={t('count')}
        description={t('countLead')}
        {...field('count')}
        inputMode="numeric"
        dir="ltr"
        required
        withAsterisk={false}
      />
      <TextInput
        label={t('batch')}
        description={t('batchLead')}
        {...field('batch')}
        maxLength={60}
      />
      <NativeSelect
        label={t('expires')}
        {...field('days')}
        data={lives.map((days) => ({
          value: String(days),
          label: days === 0 ? t('never') : t('days', { count: days }),
        }))}
      />
    </FormDialog>
  )
}

interface MadeCodesProps {
  readonly made: { readonly batch: string; readonly data: readonly { readonly code: string }[] }
  readonly onClose: () => void
}

function MadeCodes({ made, onClose }: MadeCodesProps) {
  const t = useTranslations('codes')
  return (
    <Dialog opened onClose={onClose} isHeld title={t('made')}>
      <Stack>
        <Alert className="notice">{t('madeLead', { batch: made.batch })}</Alert>
        <CopyLines text={made.data.map(({ code }) => code).join('\n')} label={t('made')} />
        <Group justify="flex-end">
          <Button onClick={onClose}>{t('saved')}</Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
