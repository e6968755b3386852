import { Button, Group } from '@mantine/core'
import { IconPlayerStop, IconSend2 } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import type { EndedCall } from '../metered-call'
import { CallRefused } from '../parts/call-refused'
import { CallCost } from './call-cost'
import { costOf, type OwnCall } from './own-calls'
import { Form } from '../parts/form'

/** A call with one answer, which may be stopped before it comes. */
interface OneCall<Made> {
  readonly made: Made | null
  readonly isRunning: boolean
  readonly error: unknown
  /** Of one that was stopped, or broke off. */
  readonly unfinished: EndedCall | null
  begin(): void
  stop(): void
}

/**
 * State of one call at a time: running, its answer or its error.
 * @param run makes the call
 * @param onCost told of what it has cost
 */
export function useOneCall<Made extends EndedCall>(
  keyId: number,
  run: (call: OwnCall) => Promise<Made>,
  onCost: (usd: string | null) => void,
): OneCall<Made> {
  const locale = useLocale()
  const stopping = useRef<AbortController | null>(null)
  const requestId = useRef('')
  const [unfinished, setUnfinished] = useState<EndedCall | null>(null)
  useEffect(() => () => stopping.current?.abort(), [])
  const asking = useMutation({
    mutationFn: () => {
      stopping.current = new AbortController()
      requestId.current = ''
      setUnfinished(null)
      const onBegun = (id: string) => void (requestId.current = id)
      return run({ key: keyId, locale, signal: stopping.current.signal, onBegun })
    },
    onSuccess: ({ costUsd }) => onCost(costUsd),
    async onError() {
      if (requestId.current === '') return
      // What was sent before is charged all the same.
      const costUsd = await costOf(requestId.current)
      setUnfinished({ requestId: requestId.current, costUsd })
      onCost(costUsd)
    },
  })
  const isStopped = asking.error instanceof DOMException && asking.error.name === 'AbortError'
  return {
    made: asking.data ?? null,
    unfinished,
    isRunning: asking.isPending,
    error: isStopped ? null : asking.error,
    begin: () => asking.mutate(),
    stop: () => stopping.current?.abort(),
  }
}

interface CallFormProps {
  readonly call: OneCall<unknown>
  readonly canSend: boolean
  readonly children: ReactNode
}

/** Fields of a call, its button, and why it was refused. */
export function CallForm({ call, canSend, children }: CallFormProps) {
  const t = useTranslations('playground')
  const submit = () => {
    if (canSend && !call.isRunning) call.begin()
  }
  return (
    <Form onSubmit={submit} className="card panel call-form">
      {children}
      <Group justify="flex-end">
        {call.isRunning && (
          <Button
            variant="default"
            leftSection={<IconPlayerStop size={16} />}
            onClick={() => call.stop()}
          >
            {t('stop')}
          </Button>
        )}
        <Button
          type="submit"
          loading={call.isRunning}
          disabled={!canSend}
          leftSection={<IconSend2 size={16} />}
        >
          {t('send')}
        </Button>
      </Group>
      <CallRefused error={call.error} />
      {call.unfinished !== null && <CallCost {...call.unfinished} />}
    </Form>
  )
}
