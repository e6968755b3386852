import {
  IconActivity,
  IconBell,
  IconChecklist,
  IconCoins,
  IconCpu,
  IconHeartbeat,
  IconHistory,
  IconId,
  IconLayoutDashboard,
  IconMicrophone,
  IconPercentage,
  IconPlugConnected,
  IconScale,
  IconReceipt,
  IconServer,
  IconSettings,
  IconTicket,
  IconUserShield,
  IconUsers,
  IconUsersGroup,
  IconVideo,
} from '@tabler/icons-react'
import type { ComponentType } from 'react'
import { lazyPage } from '../parts/lazy-page'
import { withTexts } from '../parts/more-texts'

/** A page of the console. Another page is a line here; its text in the rail is `operatorNav.NAME`. */
interface OperatorPage {
  readonly path: string
  readonly Page: ComponentType
  /** In the rail, in this order; others are reached from pages. */
  readonly rail?: { readonly name: string; readonly Icon: typeof IconUsers }
}

/** Texts of models and prices, which come with their pages. */
const pricesTexts = {
  fa: () => import('./texts/fa-prices').then((texts) => texts.faOperatorPrices),
  en: () => import('./texts/en-prices').then((texts) => texts.enOperatorPrices),
}

/** Texts of vendors and their bills, likewise. */
const vendorsTexts = {
  fa: () => import('./texts/fa-vendors').then((texts) => texts.faOperatorVendors),
  en: () => import('./texts/en-vendors').then((texts) => texts.enOperatorVendors),
}

export const operatorPages: readonly OperatorPage[] = [
  {
    path: '/operator/first-steps',
    Page: lazyPage(() => import('./pages/first-steps').then((page) => page.FirstSteps)),
    rail: { name: 'steps', Icon: IconChecklist },
  },
  {
    path: '/operator',
    Page: lazyPage(() => import('./pages/overview').then((page) => page.OverviewPage)),
    rail: { name: 'overview', Icon: IconLayoutDashboard },
  },
  {
    path: '/operator/live',
    Page: lazyPage(() => import('./pages/live').then((page) => page.LivePage)),
    rail: { name: 'live', Icon: IconActivity },
  },
  {
    path: '/operator/videos',
    Page: lazyPage(() => import('./pages/video-jobs').then((page) => page.VideoJobs)),
    rail: { name: 'videoJobs', Icon: IconVideo },
  },
  {
    path: '/operator/realtime',
    Page: lazyPage(() => import('./pages/realtime-sessions').then((page) => page.RealtimeSessions)),
    rail: { name: 'realtime', Icon: IconMicrophone },
  },
  {
    path: '/operator/accounts',
    Page: lazyPage(() => import('./pages/accounts').then((page) => page.Accounts)),
    rail: { name: 'accounts', Icon: IconUsers },
  },
  {
    path: '/operator/accounts/:id',
    Page: lazyPage(() => import('./pages/account').then((page) => page.AccountPage)),
  },
  {
    path: '/operator/groups',
    Page: lazyPage(() => import('./groups/groups-page').then((page) => page.GroupsPage)),
    rail: { name: 'groups', Icon: IconUsersGroup },
  },
  {
    path: '/operator/groups/:id',
    Page: lazyPage(() => import('./groups/group-page').then((page) => page.GroupPage)),
  },
  {
    path: '/operator/requests/:id',
    Page: lazyPage(() => import('./pages/call').then((page) => page.CallPage)),
  },
  {
    path: '/operator/models',
    Page: lazyPage(
      withTexts(() => import('./prices/models').then((page) => page.ModelsDesk), pricesTexts),
    ),
    rail: { name: 'models', Icon: IconCpu },
  },
  {
    path: '/operator/models/*',
    Page: lazyPage(
      withTexts(() => import('./prices/model-page').then((page) => page.ModelDesk), pricesTexts),
    ),
  },
  {
    path: '/operator/model-imports',
    Page: lazyPage(
      withTexts(
        () => import('./prices/model-imports').then((page) => page.ModelImports),
        pricesTexts,
      ),
    ),
  },
  {
    path: '/operator/price-rules',
    Page: lazyPage(
      withTexts(() => import('./prices/price-rules').then((page) => page.PriceRules), pricesTexts),
    ),
    rail: { name: 'priceRules', Icon: IconPercentage },
  },
  {
    path: '/operator/proposals',
    Page: lazyPage(
      withTexts(() => import('./prices/proposals').then((page) => page.Proposals), pricesTexts),
    ),
    rail: { name: 'proposals', Icon: IconScale },
  },
  {
    path: '/operator/vendors',
    Page: lazyPage(
      withTexts(
        () => import('./vendors/vendor-list').then((page) => page.VendorList),
        vendorsTexts,
      ),
    ),
    rail: { name: 'vendors', Icon: IconServer },
  },
  {
    path: '/operator/vendors/:name',
    Page: lazyPage(
      withTexts(
        () => import('./vendors/vendor-page').then((page) => page.VendorPage),
        vendorsTexts,
      ),
    ),
  },
  {
    path: '/operator/bills',
    Page: lazyPage(
      withTexts(() => import('./bills/bill-check').then((page) => page.BillCheck), vendorsTexts),
    ),
    rail: { name: 'bills', Icon: IconReceipt },
  },
  {
    path: '/operator/payments',
    Page: lazyPage(() => import('./pages/payments-desk').then((page) => page.PaymentsDesk)),
    rail: { name: 'payments', Icon: IconCoins },
  },
  {
    path: '/operator/payments/:id',
    Page: lazyPage(() => import('./pages/card-payment').then((page) => page.CardPaymentPage)),
  },
  {
    path: '/operator/verifications',
    Page: lazyPage(() =>
      import('./pages/verification-queue').then((page) => page.VerificationQueue),
    ),
    rail: { name: 'verifications', Icon: IconId },
  },
  {
    path: '/operator/codes',
    Page: lazyPage(() => import('./pages/redeem-code-desk').then((page) => page.RedeemCodeDesk)),
    rail: { name: 'codes', Icon: IconTicket },
  },
  {
    path: '/operator/notices',
    Page: lazyPage(() => import('./pages/notice-outbox').then((page) => page.NoticeOutbox)),
    rail: { name: 'notices', Icon: IconBell },
  },
  {
    path: '/operator/connections',
    Page: lazyPage(() => import('./pages/connections-page').then((page) => page.ConnectionsPage)),
    rail: { name: 'connections', Icon: IconPlugConnected },
  },
  {
    path: '/operator/settings',
    Page: lazyPage(() => import('./pages/service-settings').then((page) => page.ServiceSettings)),
    rail: { name: 'settings', Icon: IconSettings },
  },
  {
    path: '/operator/health',
    Page: lazyPage(() => import('./pages/health').then((page) => page.Health)),
    rail: { name: 'health', Icon: IconHeartbeat },
  },
  {
    path: '/operator/operators',
    Page: lazyPage(() => import('./pages/operator-list').then((page) => page.OperatorsPage)),
    rail: { name: 'operators', Icon: IconUserShield },
  },
  {
    path: '/operator/trail',
    Page: lazyPage(() => import('./pages/trail').then((page) => page.Trail)),
    rail: { name: 'trail', Icon: IconHistory },
  },
]
