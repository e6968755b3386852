import { NativeSelect, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useNumbers } from '../../numbers'
import { Dialog } from '../../parts/dialog'
import { operate } from '../operate'
import { Previewed } from './previewed'

interface ApproveProposalsProps {
  readonly ids: readonly number[]
  readonly onClose: () => void
}

const dayCounts = [1, 3, 7, 30] as const
const otherDay = 'other'

/** The beginning of a day, on the clock of whoever looks. */
function dayIn(days: number): Date {
  const day = new Date()
  day.setHours(0, 0, 0, 0)
  day.setDate(day.getDate() + days)
  return day
}

/** Dialog that approves price proposals, at once or from a later day, after a preview. */
export function ApproveProposals({ ids, onClose }: ApproveProposalsProps) {
  const t = useTranslations('proposals')
  const { moment, count } = useNumbers()
  const [choice, setChoice] = useState('')
  const [typed, setTyped] = useState('')
  const at = choice === '' ? null : choice === otherDay ? new Date(typed) : dayIn(Number(choice))
  const isReady = at === null || !Number.isNaN(at.getTime())
  const proposals = { ids: [...ids] }
  return (
    <Dialog opened onClose={onClose} title={t('approve')} size="lg">
      <Previewed
        thought={isReady ? { proposals } : null}
        action={t('approve')}
        save={async () =>
          operate('POST /price-proposals/approvals', {
            body: { ...proposals, ...(at === null ? {} : { from: at.toISOString() }) },
          })
        }
        onClose={onClose}
      >
        <Text size="sm">{t('approveLead', { count: ids.length, shown: count(ids.length) })}</Text>
        <NativeSelect
          label={t('from')}
          value={choice}
          onChange={(event) => setChoice(event.currentTarget.value)}
          data={[
            { value: '', label: t('atOnce') },
            ...dayCounts.map((days) => ({
              value: String(days),
              label: t('inDays', { count: days, when: moment(dayIn(days).getTime()) }),
            })),
            { value: otherDay, label: t('otherDay') },
          ]}
        />
        {choice === otherDay && (
          <TextInput
            label={t('day')}
            type="datetime-local"
            dir="ltr"
            value={typed}
            description={at !== null && isReady ? moment(at.getTime()) : null}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        )}
      </Previewed>
    </Dialog>
  )
}
