import { Alert, Anchor, Button, Group, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core'
import { IconMessageCircle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { Link, useParams } from 'wouter'
import { api, ask } from '../client'
import { useMe } from '../me'
import { modelSamples } from '../model-samples'
import { useNumbers } from '../numbers'
import { Failed } from '../parts/failed'
import { ModelBadges } from '../parts/model-badges'
import { ModelPrices } from '../parts/money/model-prices'
import { PageHead } from '../parts/page-head'
import { PriceCalculator } from '../parts/money/price-calculator'
import { SampleTabs } from '../parts/keys/sample-tabs'
import { capabilities } from '../model-families'
import { useModel, type Model } from '../sold-models'
import { Panel } from '../parts/panel'

const anyKey = 'YOUR_KEY'

/** Public page of one model: abilities, prices, calculator, samples. */
export function ModelPage() {
  const t = useTranslations('model')
  const id = useParams()['*'] ?? ''
  const model = useModel(id)
  return (
    <Stack gap="lg">
      <Anchor component={Link} href="/models" size="sm">
        {t('back')}
      </Anchor>
      {model.data === undefined ? (
        <>
          <PageHead title={id} />
          {model.isError ? (
            <Failed error={model.error} onRetry={() => void model.refetch()} />
          ) : (
            <Skeleton h={220} />
          )}
        </>
      ) : (
        <Shown model={model.data} />
      )}
    </Stack>
  )
}

/** Kinds of models that the playground has a place for. */
const tried: ReadonlySet<string> = new Set(['chat', 'image', 'audio_tts', 'audio_stt'])

function Shown({ model }: { readonly model: Model }) {
  const t = useTranslations('model')
  const me = useMe()
  const isTried = me.data !== null && tried.has(model.family)
  return (
    <>
      <PageHead title={model.name}>
        {isTried && (
          <Button
            component={Link}
            href={`/playground?type=${model.family}&model=${encodeURIComponent(model.id)}`}
            leftSection={<IconMessageCircle size={16} />}
          >
            {t('try')}
          </Button>
        )}
      </PageHead>
      {(model.is_free || model.sandbox) && (
        <Group gap="xs">
          <ModelBadges model={model} />
        </Group>
      )}
      {model.sandbox && <Alert className="notice">{t('isSandbox')}</Alert>}
      {model.description !== null && (
        <Text dir="auto" className="description">
          {model.description}
        </Text>
      )}
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        <Facts model={model} />
        <ModelPrices model={model} />
      </SimpleGrid>
      {!model.is_free && <PriceCalculator key={model.id} model={model} />}
      <Samples model={model} />
    </>
  )
}

function Facts({ model }: { readonly model: Model }) {
  const t = useTranslations()
  const { count } = useNumbers()
  const { choices } = model
  const known = capabilities.filter((each) => model.capabilities.includes(each))
  const tokens = (value: number | null) =>
    value === null ? null : t('model.tokens', { count: count(value) })
  return (
    <Panel id="facts" title={t('model.facts')}>
      <dl className="facts">
        <Fact name={t('model.id')}>
          <Code>{model.id}</Code>
        </Fact>
        <Fact name={t('model.owner')}>
          <bdi>{model.owner}</bdi>
        </Fact>
        <Fact name={t('model.family')}>{t(`families.${model.family}`)}</Fact>
        <Fact name={t('model.context')}>{tokens(model.context_length)}</Fact>
        <Fact name={t('model.maxOutput')}>{tokens(model.max_output_tokens)}</Fact>
        <Fact name={t('model.can')}>
          {known.length === 0 ? null : known.map((each) => t(`capabilities.${each}`)).join(' · ')}
        </Fact>
        <Fact name={t('model.sizes')}>{codes(choices.sizes)}</Fact>
        <Fact name={t('model.voices')}>{codes(choices.voices)}</Fact>
        <Fact name={t('model.formats')}>{codes(choices.formats)}</Fact>
        <Fact name={t('model.also')}>{codes(model.aliases)}</Fact>
      </dl>
    </Panel>
  )
}

const Code = ({ children }: { readonly children: ReactNode }) => (
  <bdi className="code request-id" dir="ltr" lang="en">
    {children}
  </bdi>
)

/** Null for none. */
const codes = (all: readonly string[]): ReactNode =>
  all.length === 0 ? null : <Code>{all.join(', ')}</Code>

/** Not told where there is nothing to tell. */
const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) =>
  children === null ? null : (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  )

/** With the beginning of a key of one's own, where somebody is signed in and has one. */
function Samples({ model }: { readonly model: Model }) {
  const t = useTranslations('model')
  const me = useMe()
  const isIn = me.data !== null && me.data !== undefined
  const service = useQuery({ queryKey: ['service'], queryFn: () => ask(api.service.get()) })
  const keys = useQuery({
    queryKey: ['keys', 'first'],
    queryFn: () => ask(api.keys.get({ query: { max: 1, revoked: false } })),
    enabled: isIn,
  })
  const own = isIn ? keys.data?.data[0] : undefined
  const baseUrl = service.data?.base_url ?? `${location.origin}/v1`
  const key = own === undefined ? anyKey : `${own.prefix}…`
  return (
    <Panel
      id="samples"
      title={t('samples')}
      lead={t(own === undefined ? 'samplesLead' : 'samplesOwn')}
    >
      <SampleTabs samples={modelSamples[model.family]} facts={{ baseUrl, key, model: model.id }} />
    </Panel>
  )
}
