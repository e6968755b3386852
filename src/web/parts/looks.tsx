import { Badge, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { api, ask } from '../client'
import { useNumbers } from '../numbers'
import { Panel } from './panel'

/** Operators' looks at the account; nothing where there were none. */
export function Looks() {
  const t = useTranslations('looks')
  const { moment } = useNumbers()
  const looks = useQuery({ queryKey: ['looks'], queryFn: () => ask(api.looks.get()) })
  if (looks.data === undefined || looks.data.length === 0) return null
  return (
    <Panel id="looks" title={t('title')} lead={t('lead')}>
      <ul className="rows">
        {looks.data.map(({ by, begun, until, lasts }) => (
          <li key={`${by} ${begun}`}>
            <Group justify="space-between">
              <Text size="sm" className="number">
                {t('row', { by: `⁨${by}⁩`, from: moment(begun), until: moment(until) })}
              </Text>
              {lasts && (
                <Badge variant="light" tt="none">
                  {t('lasting')}
                </Badge>
              )}
            </Group>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
