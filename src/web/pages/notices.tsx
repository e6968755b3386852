import { Badge, Group, Stack, Text } from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslations } from 'use-intl'
import { api, ask } from '../client'
import { readMeAgain } from '../me'
import { useNumbers } from '../numbers'
import { Empty } from '../parts/empty'
import { NoticeWays } from '../parts/account/notice-ways'
import { PageHead } from '../parts/page-head'
import { PageRows, usePages } from '../parts/paged-list'

type Page = NonNullable<Awaited<ReturnType<typeof api.notices.get>>['data']>
type Notice = Page['data'][number]

const maxOnPage = 25

/** Page of a person's notices and their channels. Opened, all that is shown counts as seen. */
export function Notices() {
  const t = useTranslations('notices')
  const pages = usePages<string, Page>(['notices'], (before) =>
    ask(
      api.notices.get({ query: { max: maxOnPage, ...(before === undefined ? {} : { before }) } }),
    ),
  )
  const { mutate: markSeen } = useMutation({
    mutationFn: (upTo: string) => ask(api.notices.seen.post({ up_to: upTo })),
    // The rows keep their mark until the page is opened anew.
    onSuccess: readMeAgain,
  })
  const first = pages.data?.pages[0]
  const newest = first !== undefined && first.unread > 0 ? first.data[0]?.id : undefined
  useEffect(() => {
    if (newest !== undefined) markSeen(newest)
  }, [newest, markSeen])
  return (
    <Stack gap="lg">
      <PageHead title={t('title')} lead={t('lead')} />
      <PageRows<Notice, string>
        pages={pages}
        keyOf={({ id }) => id}
        row={(notice) => <NoticeRow notice={notice} />}
        empty={<Empty icon={IconBell} title={t('empty')} lead={t('emptyLead')} />}
      />
      <NoticeWays />
    </Stack>
  )
}

function NoticeRow({ notice: { title, text, created, seen } }: { readonly notice: Notice }) {
  const t = useTranslations('notices')
  const { digits, moment, locale } = useNumbers()
  const shown = (words: string) => (locale === 'fa' ? persianNumbers(digits(words)) : words)
  return (
    <article className="list-link still">
      <Group justify="space-between" align="baseline" gap="xs">
        <Text fw={600} size="sm">
          {shown(title)}
          {!seen && (
            <Badge variant="light" tt="none" ms="xs" size="sm">
              {t('new')}
            </Badge>
          )}
        </Text>
        <Text size="xs" className="soft number">
          {moment(created)}
        </Text>
      </Group>
      <Text size="sm" className="soft" mt={4} style={{ overflowWrap: 'anywhere' }}>
        {shown(text)}
      </Text>
    </article>
  )
}

/** Decimals as the language writes them; texts of the server have points. */
const persianNumbers = (words: string): string => words.replaceAll(/(?<=[۰-۹])\.(?=[۰-۹])/g, '٫')
