import { Anchor, Button, Group, Stack, Text, TextInput, Title } from '@mantine/core'
import { IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { type EndedCall, readAnswer, sendCall } from '../../metered-call'
import { useNumbers } from '../../numbers'
import { CallRefused } from '../call-refused'
import { Code, Soft } from '../panel'
import { Form } from '../form'

interface TryKeyProps {
  readonly secret: string
  /** Null where the key may use none for text. */
  readonly model: string | null
  readonly isSandbox: boolean
}

/** First call with a new key: its cost before, its answer, its cost after. */
export function TryKey({ secret, model, isSandbox }: TryKeyProps) {
  const t = useTranslations('trying')
  return (
    <section aria-labelledby="trying" className="trial">
      <Title order={3} fz="sm" id="trying">
        {t('title')}
      </Title>
      {model === null ? (
        <Soft>{t('noModel')}</Soft>
      ) : (
        <Trial secret={secret} model={model} isSandbox={isSandbox} />
      )}
    </section>
  )
}

function Trial({ secret, model, isSandbox }: TryKeyProps & { readonly model: string }) {
  const t = useTranslations('trying')
  const locale = useLocale()
  const [prompt, setPrompt] = useState(t('prompt'))
  const call: TrialCall = { key: secret, model, prompt, locale }
  const cost = useQuery({
    queryKey: ['trial', model, secret],
    queryFn: () => trialCost(call),
    retry: false,
    staleTime: Infinity,
  })
  const trial = useTrial(call)
  const submit = () => {
    if (trial.isRunning) trial.stop()
    else trial.begin()
  }
  return (
    <Form onSubmit={submit}>
      <Stack gap="xs">
        <Soft>
          {t.rich(isSandbox ? 'leadSandbox' : 'lead', {
            name: model,
            model: (chunks) => <Code>{chunks}</Code>,
          })}{' '}
          <CostBefore usd={cost.data} />
        </Soft>
        <Group gap="xs" wrap="nowrap" align="end">
          <TextInput
            style={{ flex: 1 }}
            label={t('question')}
            value={prompt}
            maxLength={200}
            classNames={{ input: 'any-script' }}
            onChange={(event) => setPrompt(event.currentTarget.value)}
          />
          <Button
            type="submit"
            variant="light"
            disabled={prompt.trim() === ''}
            leftSection={
              trial.isRunning ? <IconPlayerStop size={15} /> : <IconPlayerPlay size={15} />
            }
          >
            {t(trial.isRunning ? 'stop' : 'send')}
          </Button>
        </Group>
        <CallRefused error={trial.error ?? cost.error} />
        {trial.text !== '' && (
          <output className="trial-answer" dir="auto" aria-busy={trial.isRunning}>
            {trial.text}
          </output>
        )}
        {trial.done !== null && <CostAfter {...trial.done} />}
      </Stack>
    </Form>
  )
}

function useTrial(call: TrialCall) {
  const [text, setText] = useState('')
  const stopping = useRef<AbortController | null>(null)
  const asking = useMutation({
    mutationFn: () => {
      setText('')
      stopping.current = new AbortController()
      const add = (piece: string) => setText((before) => before + piece)
      return trialAnswer(call, add, stopping.current.signal)
    },
  })
  const isStopped = asking.error instanceof DOMException && asking.error.name === 'AbortError'
  return {
    text,
    isRunning: asking.isPending,
    done: asking.data ?? null,
    error: isStopped ? null : asking.error,
    begin: () => asking.mutate(),
    stop: () => stopping.current?.abort(),
  }
}

function CostBefore({ usd: cost }: { readonly usd: string | undefined }) {
  const t = useTranslations('trying')
  const { usd } = useNumbers()
  if (cost === undefined) return null
  return Number(cost) === 0 ? t('free') : t('atMost', { cost: usd(cost, 6) })
}

function CostAfter({ requestId, costUsd }: EndedCall) {
  const t = useTranslations('trying')
  const { usd } = useNumbers()
  return (
    <Text size="sm" role="status">
      {costUsd !== null && t('spent', { cost: usd(costUsd, 9) })}{' '}
      {/* The key is gone with this dialog: it stays open. */}
      <Anchor
        size="sm"
        href={`/app/requests/${requestId}`}
        target="_blank"
        rel="noopener"
        display="inline-block"
      >
        {t('receipt')}
      </Anchor>
    </Text>
  )
}

/** Request of a trial call with the key itself, as any program would send it. */
interface TrialCall {
  readonly key: string
  readonly model: string
  readonly prompt: string
  /** Errors come in this language. */
  readonly locale: string
}

const maxTokens = 300

const send = (
  { key, model, prompt, locale }: TrialCall,
  headers: Record<string, string>,
  signal?: AbortSignal,
): Promise<Response> =>
  sendCall('/v1/chat/completions', {
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'accept-language': locale,
      ...headers,
    },
    // The key alone speaks, as in a program.
    credentials: 'omit',
    body: JSON.stringify({
      model,
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: maxTokens,
      messages: [{ role: 'user', content: prompt }],
    }),
    ...(signal === undefined ? {} : { signal }),
  })

/** Upper bound of a call's cost, as a decimal string: a dry run, which charges nothing. @throws CallError */
async function trialCost(call: TrialCall): Promise<string> {
  const response = await send(call, { 'x-dry-run': '1' })
  const { estimate } = (await response.json()) as { estimate: { high: { usd: string } } }
  return estimate.high.usd
}

/**
 * Sends the call.
 * @param onText told of each piece of the answer
 * @throws CallError
 */
async function trialAnswer(
  call: TrialCall,
  onText: (piece: string) => void,
  signal: AbortSignal,
): Promise<EndedCall> {
  return await readAnswer(await send(call, {}, signal), ({ text }) => onText(text))
}
