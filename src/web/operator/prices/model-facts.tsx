import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useNumbers } from '../../numbers'
import { useMay } from '../me'
import { DeskFact } from '../parts/fact'
import { capabilities } from '../../model-families'
import type { ModelDetail } from './model-detail'
import { ModelFactsForm } from './model-facts-form'
import { Panel, Code, Soft } from '../../parts/panel'

const lists = ['sizes', 'seconds', 'voices', 'formats'] as const

/** Public facts of a model: names, sizes, abilities. */
export function ModelFacts({ model }: { readonly model: ModelDetail }) {
  const t = useTranslations('modelFacts')
  const inFamilies = useTranslations('families')
  const inCapabilities = useTranslations('capabilities')
  const { count } = useNumbers()
  const may = useMay()
  const [isEditing, setEditing] = useState(false)
  const can = capabilities.filter((each) => model.capabilities[each] === true)
  const tokens = (value: number | null) => (value === null ? '–' : count(value))
  return (
    <Panel
      id="facts"
      title={t('title')}
      actions={
        may('owner') && (
          <Button size="xs" onClick={() => setEditing(true)}>
            {t('change')}
          </Button>
        )
      }
    >
      <div className="facts">
        <DeskFact name={t('id')} value={model.id} isCode />
        <DeskFact name={t('name')} value={model.name} />
        <DeskFact name={t('owner')} value={model.owned_by} />
        <DeskFact name={t('type')} value={inFamilies(model.type)} />
        <DeskFact name={t('context')} value={tokens(model.context_length)} />
        <DeskFact name={t('maxOutput')} value={tokens(model.max_output_tokens)} />
      </div>
      {model.description !== null && (
        <Text size="sm" mt="md" className="description">
          <bdi>{model.description}</bdi>
        </Text>
      )}
      <Stack gap={6} mt="md">
        <Soft>{t('can')}</Soft>
        <Group gap={6}>
          {can.length === 0 && <Text size="sm">{t('canNothing')}</Text>}
          {can.map((each) => (
            <Badge key={each} variant="light" tt="none">
              {inCapabilities(each)}
            </Badge>
          ))}
        </Group>
        {lists.map((name) => {
          const values = model.capabilities[name]
          return Array.isArray(values) && values.length > 0 ? (
            <Text key={name} size="sm">
              <span className="soft">{t(name)}</span> <Code>{values.join(', ')}</Code>
            </Text>
          ) : null
        })}
      </Stack>
      {isEditing && <ModelFactsForm model={model} onClose={() => setEditing(false)} />}
    </Panel>
  )
}
