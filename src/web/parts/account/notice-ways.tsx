import { SegmentedControl, Skeleton, Stack, Switch, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { api, ask } from '../../client'
import { useMe } from '../../me'
import { readWaysAgain, setWays, waysKey, type WaysRead } from '../../notice-ways'
import { AccountWebhook } from './account-webhook'
import { EmailSection } from './email-section'
import { Failed } from '../failed'
import { Panel } from '../panel'

type Choice = WaysRead['choices'][number]
type Way = Choice['ways'][number]

/** Form of a person's notices: topics by channel, address, language. */
export function NoticeWays() {
  const ways = useQuery({ queryKey: waysKey, queryFn: () => ask(api['notice-ways'].get()) })
  const me = useMe()
  if (ways.data === undefined)
    return ways.isError ? (
      <Failed error={ways.error} onRetry={() => void ways.refetch()} />
    ) : (
      <Skeleton h={320} />
    )
  return (
    <>
      <Choices ways={ways.data} />
      <EmailSection ways={ways.data} />
      {me.data?.account.role === 'owner' && <AccountWebhook webhook={ways.data.webhook} />}
    </>
  )
}

function Choices({ ways }: { readonly ways: WaysRead }) {
  const t = useTranslations('notices')
  const topics = useTranslations('noticeTopics')
  const wayNames = useTranslations('noticeWays')
  const choose = useMutation({
    mutationFn: (body: { way: Way['way']; topic: Choice['topic']; on: boolean }) =>
      ask(api['notice-ways'].choice.put(body)),
    onSuccess: setWays,
  })
  const names = (ways.choices[0]?.ways ?? [])
    .map(({ way }) => way)
    // Without one there is nothing to switch.
    .filter((way) => way !== 'webhook' || ways.webhook !== null)
  return (
    <Panel id="ways" title={t('ways')} lead={t('waysLead')}>
      <Failed error={choose.error} />
      <table className="choices">
        <thead>
          <tr>
            <th scope="col">{t('about')}</th>
            {names.map((way) => (
              <th scope="col" key={way}>
                {wayNames(way)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {ways.choices.map(({ topic, ways: each }) => (
            <tr key={topic}>
              <th scope="row">{topics(topic)}</th>
              {each
                .filter(({ way }) => names.includes(way))
                .map(({ way, can, on, fixed }) => (
                  <td key={way}>
                    {fixed ? (
                      <Text span size="xs" className="soft">
                        {t('fixed')}
                      </Text>
                    ) : can ? (
                      <Switch
                        checked={on}
                        aria-label={`${topics(topic)}: ${wayNames(way)}`}
                        onChange={(event) =>
                          choose.mutate({ way, topic, on: event.currentTarget.checked })
                        }
                      />
                    ) : (
                      '–'
                    )}
                  </td>
                ))}
            </tr>
          ))}
        </tbody>
      </table>
      <Language chosen={ways.language} />
    </Panel>
  )
}

function Language({ chosen }: { readonly chosen: WaysRead['language'] }) {
  const t = useTranslations('notices')
  const id = useId()
  const locale = useLocale()
  const choose = useMutation({
    mutationFn: (language: 'fa' | 'en') => ask(api['notice-ways'].language.put({ language })),
    onSuccess: readWaysAgain,
  })
  return (
    <Stack gap={6} mt="md">
      <Text size="sm" id={id}>
        {t('language')}
      </Text>
      <div lang={locale}>
        <SegmentedControl
          aria-labelledby={id}
          value={chosen ?? 'fa'}
          data={[
            { value: 'fa', label: t('persian') },
            { value: 'en', label: t('english') },
          ]}
          onChange={(value) => choose.mutate(value === 'en' ? 'en' : 'fa')}
        />
      </div>
      <Failed error={choose.error} />
    </Stack>
  )
}
