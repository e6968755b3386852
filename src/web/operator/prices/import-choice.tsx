import { Anchor, Badge, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useDeferredValue, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Link } from 'wouter'
import { useNumbers } from '../../numbers'
import { Failed } from '../../parts/failed'
import type { Result } from '../operate'
import { Becomes } from './becomes'
import { modelDeskPath } from './model-detail'
import { mainKeys, usePriceWords, type Pricing } from './price-keys'
import { Soft, Code } from '../../parts/panel'

type Importable = Result<'POST /model-imports/preview'>['data'][number]

interface ImportChoiceProps {
  readonly vendor: string
  readonly models: readonly Importable[]
  readonly error: unknown
  readonly isPending: boolean
  readonly onImport: (models: readonly string[]) => void
}

const maxShown = 200
const order = ['new', 'uncosted', 'known'] as const

/** Choice among the models of a vendor for import. */
export function ImportChoice({ vendor, models, error, isPending, onImport }: ImportChoiceProps) {
  const t = useTranslations('modelImports')
  const { count } = useNumbers()
  const [typed, setTyped] = useState('')
  const wanted = useDeferredValue(typed.trim().toLowerCase())
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const found = models
    .filter(({ vendor_model: model, id }) => `${model} ${id ?? ''}`.toLowerCase().includes(wanted))
    .toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state))
  const fresh = found.flatMap(({ state, vendor_model: model }) => (state === 'new' ? model : []))
  const isAll = fresh.length > 0 && fresh.every((model) => chosen.has(model))
  const set = (some: readonly string[], is: boolean) => {
    const next = new Set(chosen)
    for (const model of some)
      if (is) next.add(model)
      else next.delete(model)
    setChosen(next)
  }
  return (
    <section className="card">
      <Stack gap="sm" className="panel">
        <TextInput
          type="search"
          label={t('search')}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Text size="sm" className="soft" role="status">
          {t('found', {
            count: fresh.length,
            fresh: count(fresh.length),
            all: count(found.length),
          })}
        </Text>
      </Stack>
      <ul className="list">
        {found.slice(0, maxShown).map((model) => (
          <li key={model.vendor_model}>
            <ImportRow
              vendor={vendor}
              model={model}
              isChosen={chosen.has(model.vendor_model)}
              onChoose={(is) => set([model.vendor_model], is)}
            />
          </li>
        ))}
      </ul>
      {found.length > maxShown && (
        <Text size="sm" className="soft panel">
          {t('others', { count: count(found.length - maxShown) })}
        </Text>
      )}
      <div className={chosen.size > 0 ? 'decisions sticky' : 'decisions'}>
        <Failed error={error} />
        <Group justify="space-between">
          <Button
            size="compact-sm"
            variant="subtle"
            disabled={fresh.length === 0}
            onClick={() => set(fresh, !isAll)}
          >
            {t(isAll ? 'chooseNone' : 'chooseAll')}
          </Button>
          <Button
            loading={isPending}
            disabled={chosen.size === 0}
            onClick={() => onImport([...chosen])}
          >
            {t('import', { count: chosen.size, shown: count(chosen.size) })}
          </Button>
        </Group>
      </div>
    </section>
  )
}

interface ImportRowProps {
  readonly vendor: string
  readonly model: Importable
  readonly isChosen: boolean
  readonly onChoose: (isChosen: boolean) => void
}

function ImportRow({ vendor, model, isChosen, onChoose }: ImportRowProps) {
  const t = useTranslations('modelImports')
  const { vendor_model: vendorModel, state, id, cost, pricing } = model
  const isNew = state === 'new'
  return (
    <div className="list-link still">
      <div className="picked-row">
        {isNew ? (
          <label className="pick">
            <input
              type="checkbox"
              checked={isChosen}
              aria-label={t('choose', { model: vendorModel })}
              onChange={(event) => onChoose(event.currentTarget.checked)}
            />
          </label>
        ) : (
          <span />
        )}
        <div className="offered-row">
          <div style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
            <Text size="sm" fw={600}>
              <bdi>{model.name ?? vendorModel}</bdi>
            </Text>
            <Code isSoft>{vendorModel}</Code>
          </div>
          <Costs cost={cost} pricing={pricing} />
          {state === 'uncosted' ? (
            <Anchor component={Link} href={byHand(vendor, vendorModel)} size="sm">
              {t('byHand')}
            </Anchor>
          ) : state === 'known' && id !== null ? (
            <Anchor component={Link} href={modelDeskPath(id)} size="sm">
              {t('known')}
            </Anchor>
          ) : (
            <Badge variant="light" color={isNew ? 'firuze' : 'gray'} tt="none">
              {t(state)}
            </Badge>
          )}
        </div>
      </div>
    </div>
  )
}

const byHand = (vendor: string, model: string): string =>
  `/operator/models?${new URLSearchParams({ new: model, of: vendor })}`

function Costs({ cost, pricing }: Pick<Importable, 'cost' | 'pricing'>) {
  const t = useTranslations('modelImports')
  const { decimal } = useNumbers()
  const words = usePriceWords()
  if (cost === null) return <Soft>{t('costUnknown')}</Soft>
  const sale: Pricing = pricing ?? {}
  return (
    <div className="number">
      {mainKeys(cost).map((key) => (
        <Text size="sm" key={key}>
          <span className="soft">{words(key).name}</span>{' '}
          {sale[key] === undefined ? (
            decimal(cost[key] ?? '0')
          ) : (
            <Becomes from={decimal(cost[key] ?? '0')} to={decimal(sale[key])} />
          )}
        </Text>
      ))}
    </div>
  )
}
