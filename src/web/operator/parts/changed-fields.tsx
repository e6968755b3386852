import { Text } from '@mantine/core'
import { useTranslations } from 'use-intl'

type Fields = Readonly<Record<string, unknown>> | null

const maxShown = 120

function shown(value: unknown): string {
  if (value === undefined || value === null) return '–'
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length <= maxShown ? text : `${text.slice(0, maxShown)}…`
}

interface ChangedFieldsProps {
  readonly before: Fields
  readonly after: Fields
}

/** Fields that a change touched, each as it was and as it is; without those that were and are nothing. */
export function ChangedFields({ before, after }: ChangedFieldsProps) {
  const t = useTranslations('trail')
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].filter(
    (name) => (before?.[name] ?? after?.[name] ?? null) !== null,
  )
  return (
    <dl className="changed">
      {names.map((name) => (
        <div key={name}>
          <dt className="code soft" dir="ltr" lang="en">
            {name}
          </dt>
          <dd dir="ltr">
            {before !== null && (
              <>
                <Text span size="sm" className="was" aria-label={t('was')}>
                  {shown(before[name])}
                </Text>
                <span aria-hidden="true"> → </span>
              </>
            )}
            <Text span size="sm" aria-label={t('is')}>
              {shown(after?.[name])}
            </Text>
          </dd>
        </div>
      ))}
    </dl>
  )
}
