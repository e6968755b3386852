import { Button, CloseButton, Group, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Failed } from '../../parts/failed'
import { queries } from '../../queries'
import { useMay } from '../me'
import { onOperated, operate } from '../operate'

const offerMs = 8000
/** Lines of the trail that these leave can be set back. */
const undoable = /^(?:PATCH \/|PUT \/keys\/|(?:PUT|DELETE) \/settings\/)/

/** Undo button for the last change, for some seconds. */
export function UndoOffer({ name }: { readonly name: string }) {
  const may = useMay()
  const isOwner = may('owner')
  const [line, setLine] = useState<number | null>(null)
  useEffect(() => {
    if (!isOwner) return undefined
    return onOperated((operation) => {
      if (!undoable.test(operation)) return
      void lastLine(name).then(setLine)
    })
  }, [isOwner, name])
  if (line === null) return null
  return <Offer key={line} line={line} onOver={() => setLine(null)} />
}

async function lastLine(name: string): Promise<number | null> {
  try {
    const { data } = await operate('GET /trail', { query: { who: `operator:${name}`, max: 1 } })
    const [last] = data
    return last?.undoable === true ? last.id : null
  } catch {
    // The trail has its own button for it.
    return null
  }
}

interface OfferProps {
  readonly line: number
  readonly onOver: () => void
}

function Offer({ line, onOver }: OfferProps) {
  const t = useTranslations('undoOffer')
  const undo = useMutation({
    mutationFn: () => operate('POST /trail/{id}/undo', { params: { id: line } }),
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: ['op'] })
      onOver()
    },
  })
  const { isPending, isError } = undo
  useEffect(() => {
    if (isPending || isError) return undefined
    const timer = setTimeout(onOver, offerMs)
    return () => clearTimeout(timer)
  }, [isPending, isError, onOver])
  return (
    <div className="undo-offer card" role="status">
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">{t('done')}</Text>
        <Group gap="xs" wrap="nowrap">
          <Button
            size="compact-sm"
            variant="light"
            loading={isPending}
            onClick={() => undo.mutate()}
          >
            {t('undo')}
          </Button>
          <CloseButton size="sm" aria-label={t('close')} onClick={onOver} />
        </Group>
      </Group>
      <Failed error={undo.error} />
    </div>
  )
}
