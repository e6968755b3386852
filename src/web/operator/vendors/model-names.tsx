import { Text } from '@mantine/core'
import { useTranslations } from 'use-intl'

const maxShown = 8

/** Model ids in a line, the first of many. */
export function ModelNames({ names }: { readonly names: readonly string[] }) {
  const t = useTranslations('vendor')
  if (names.length === 0) return null
  const more = names.length - maxShown
  return (
    <ul className="plain-rows">
      {names.slice(0, maxShown).map((name) => (
        <li key={name}>
          <bdi className="code" dir="ltr" lang="en">
            {name}
          </bdi>
        </li>
      ))}
      {more > 0 && (
        <li>
          <Text size="sm" className="soft">
            {t('more', { count: more })}
          </Text>
        </li>
      )}
    </ul>
  )
}
