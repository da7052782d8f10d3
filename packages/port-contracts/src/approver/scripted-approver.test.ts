import { describeApproverContract } from './approver.contract.ts';
import { scriptedApproverHarness } from './scripted-approver-harness.ts';

describeApproverContract({
  name: 'ScriptedApprover',
  create: async (place) => scriptedApproverHarness(place),
});
