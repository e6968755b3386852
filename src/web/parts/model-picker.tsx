import { TagsInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { api, ask } from '../client'

const staleMs = 300_000
const maxOptions = 60

/** Models on sale for a picker. */
export const useModels = () =>
  useQuery({ queryKey: ['models'], queryFn: () => ask(api.models.get()), staleTime: staleMs })

interface ModelPickerProps {
  readonly value: readonly string[]
  readonly onChange: (value: string[]) => void
}

/** Select of models by ids or patterns; none stands for all. */
export function ModelPicker({ value, onChange }: ModelPickerProps) {
  const t = useTranslations('limits')
  const models = useModels()
  const ids = models.data?.map(({ id }) => id) ?? []
  const owners = ids.filter((id) => id.includes('/')).map((id) => `${id.split('/')[0]}/*`)
  return (
    <TagsInput
      label={t('models')}
      description={t('modelsHint')}
      placeholder={value.length === 0 ? t('allModels') : ''}
      value={[...value]}
      onChange={onChange}
      data={[...new Set([...owners, ...ids])]}
      limit={maxOptions}
      splitChars={[',', ' ', '،']}
      acceptValueOnBlur
      comboboxProps={{ withinPortal: true }}
      styles={{ pill: { direction: 'ltr' } }}
    />
  )
}
