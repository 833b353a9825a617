import { Tabs } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { PageHead } from '../../components/PageHead.tsx';
import { pathOf } from '../../lib/search.ts';
import { useFilters } from '../../lib/useFilters.ts';
import { InterruptedReport } from './InterruptedReport.tsx';
import { OtherReports } from './OtherReports.tsx';
import { PerformanceReport } from './PerformanceReport.tsx';
import { RevenueReport } from './RevenueReport.tsx';
import { RtpReport } from './RtpReport.tsx';

const REPORTS = {
  revenue: { label: 'Revenue', Report: RevenueReport },
  performance: { label: 'Performance', Report: PerformanceReport },
  rtp: { label: 'RTP', Report: RtpReport },
  interrupted: { label: 'Interrupted rounds', Report: InterruptedReport },
  others: { label: 'Other reports', Report: OtherReports },
};

type Name = keyof typeof REPORTS;

/** Shows the reports. The URL has the report and its filters. */
export function ReportsPage() {
  const [{ report }] = useFilters('report');
  const navigate = useNavigate();
  const name: Name = report !== undefined && Object.hasOwn(REPORTS, report) ? (report as Name) : 'revenue';
  const { Report } = REPORTS[name];
  return (
    <>
      <PageHead title="Reports" />
      <Tabs
        value={name}
        onChange={(next) => navigate({ to: pathOf('/reports', { report: next ?? undefined }) } as never)}
      >
        <Tabs.List mb="md" aria-label="Reports">
          {Object.entries(REPORTS).map(([value, { label }]) => (
            <Tabs.Tab key={value} value={value}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={name}>
          <Report />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
