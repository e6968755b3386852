import { Alert, Button, Group, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { api, ask } from '../client'
import type { Key } from '../key-values'
import { samples } from '../samples'
import { CopyOnce } from './copy-once'
import { SampleTabs } from './sample-tabs'
import { TryKey } from './try-key'

/** Stands in samples where the key may use no model. */
const modelUnlessKnown = 'MODEL'

interface KeyMadeProps {
  readonly made: Key & { readonly secret: string }
  readonly onSaved: () => void
}

/** Secret of a new key, this once, and samples that have it in them. */
export function KeyMade({ made, onSaved }: KeyMadeProps) {
  const t = useTranslations('keyMade')
  const service = useQuery({ queryKey: ['service'], queryFn: () => ask(api.service.get()) })
  const baseUrl = service.data?.base_url ?? `${location.origin}/v1`
  const trial = useQuery({
    queryKey: ['key', made.id, 'trial'],
    queryFn: () => ask(api.keys({ id: made.id }).trial.get()),
  })
  const model = trial.data?.model ?? null
  const facts = { baseUrl, key: made.secret, model: model ?? modelUnlessKnown }
  return (
    <Stack>
      <Alert className="notice">{t('lead')}</Alert>
      <CopyOnce text={made.secret} label={t('secret')} />
      <CopyOnce text={baseUrl} label={t('address')} />
      <SampleTabs samples={samples} facts={facts} />
      {trial.data !== undefined && (
        <TryKey secret={made.secret} model={model} isSandbox={trial.data.sandbox} />
      )}
      <Group justify="flex-end">
        <Button onClick={onSaved}>{t('saved')}</Button>
      </Group>
    </Stack>
  )
}
