import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Confirm } from '../../parts/confirm'
import { useMay } from '../me'
import { operate } from '../operate'
import { type ModelDetail, readPricesAgain } from './model-detail'
import { TraitForm } from './trait-form'
import { Panel } from '../../parts/panel'

/** Traits of a model: its deviations from its format, in words. */
export function ModelTraits({ model }: { readonly model: ModelDetail }) {
  const t = useTranslations('modelTraits')
  const may = useMay()
  const [isAdding, setAdding] = useState(false)
  const all = Object.entries(model.traits)
  return (
    <Panel
      id="traits"
      title={t('title')}
      lead={t('lead')}
      actions={
        may('owner') && (
          <Button size="xs" variant="default" onClick={() => setAdding(true)}>
            {t('set')}
          </Button>
        )
      }
    >
      {all.length === 0 ? (
        <Text size="sm" mt="sm">
          {t('none')}
        </Text>
      ) : (
        <ul className="rows">
          {all.map(([name, value]) => (
            <li key={name}>
              <TraitRow name={name} value={value} model={model} />
            </li>
          ))}
        </ul>
      )}
      {isAdding && <TraitForm model={model} onClose={() => setAdding(false)} />}
    </Panel>
  )
}

interface TraitRowProps {
  readonly name: string
  readonly value: unknown
  readonly model: ModelDetail
}

function TraitRow({ name, value, model }: TraitRowProps) {
  const t = useTranslations('modelTraits')
  const words = useTranslations('traitWords')
  const may = useMay()
  const [isRemoving, setRemoving] = useState(false)
  const remove = async () => {
    const { [name]: _, ...traits } = model.traits
    await operate('PATCH /models/{id}', { params: { id: model.id }, body: { traits } })
    await readPricesAgain()
  }
  return (
    <Group justify="space-between" align="flex-start" wrap="nowrap">
      <div style={{ minWidth: 0 }}>
        <Text size="sm">{words.has(name) ? words(name) : t('unknown')}</Text>
        <bdi className="code soft" dir="ltr" lang="en" style={{ overflowWrap: 'anywhere' }}>
          {name} = {JSON.stringify(value)}
        </bdi>
      </div>
      {may('owner') && (
        <Button size="xs" variant="default" onClick={() => setRemoving(true)}>
          {t('remove')}
        </Button>
      )}
      {isRemoving && (
        <Confirm
          title={t('remove')}
          lead={t('removeLead', { name })}
          action={t('remove')}
          work={remove}
          onClose={() => setRemoving(false)}
        />
      )}
    </Group>
  )
}
