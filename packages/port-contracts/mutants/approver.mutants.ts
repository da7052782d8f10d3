import { describeApproverContract } from '../src/approver/approver.contract.ts';
import { scriptedApproverHarness } from '../src/approver/scripted-approver-harness.ts';
import { consentMutants } from './approver/approver-consent-mutants.ts';
import { shownMutants } from './approver/approver-shown-mutants.ts';
import { timeMutants } from './approver/approver-time-mutants.ts';
import { proveMutants } from './prove-mutants.ts';

proveMutants([...consentMutants, ...timeMutants, ...shownMutants], (about, mutant) => {
  describeApproverContract({
    ...about,
    create: async (place) => scriptedApproverHarness(place, mutant ?? {}),
  });
});
