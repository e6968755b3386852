import { Button, Group, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import type { OperationTable, SentTo } from '../../../console/api/operator/operation-types'
import { Failed } from '../../parts/failed'
import { operate } from '../operate'
import type { Pricing } from './price-keys'
import { PreviewView, type Preview } from './preview'
import { readPricesAgain } from './model-detail'
import { Form } from '../../parts/form'

type ThoughtPrices = SentTo<OperationTable['POST /prices/preview']>['body']

interface PreviewedProps {
  /** The change that is thought of; null as long as it is none. */
  readonly thought: ThoughtPrices | null
  /** What the last button does, as a verb. */
  readonly action: string
  readonly save: () => Promise<unknown>
  readonly onClose: () => void
  /** Of the one model that is concerned, to tell its margin by. */
  readonly cost?: Pricing | null
  /** Fields by which the change is typed. */
  readonly children: ReactNode
}

/** Price change in two steps: its preview, then its saving. */
export function Previewed({ thought, action, save, onClose, cost, children }: PreviewedProps) {
  const t = useTranslations('pricePreview')
  const forms = useTranslations('forms')
  const [seen, setSeen] = useState<{ of: string; preview: Preview } | null>(null)
  const typed = JSON.stringify(thought)
  /** What was typed since was not seen. */
  const shown = seen?.of === typed ? seen.preview : null
  const look = useMutation({
    mutationFn: async () =>
      thought === null ? null : await operate('POST /prices/preview', { body: thought }),
    onSuccess: (preview) => setSeen(preview === null ? null : { of: typed, preview }),
  })
  const saving = useMutation({
    mutationFn: save,
    async onSuccess() {
      await readPricesAgain()
      onClose()
    },
  })
  const submit = () => {
    if (shown === null) look.mutate()
    else saving.mutate()
  }
  return (
    <Form onSubmit={submit}>
      <Stack>
        {children}
        {shown !== null && <PreviewView preview={shown} cost={cost ?? null} />}
        <Failed error={look.error ?? saving.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {forms('cancel')}
          </Button>
          <Button
            type="submit"
            loading={look.isPending || saving.isPending}
            disabled={thought === null}
          >
            {shown === null ? t('look') : action}
          </Button>
        </Group>
      </Stack>
    </Form>
  )
}
