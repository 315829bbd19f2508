import { formPart } from "../../../../components/form/parts/form-part.tsx";
import { RequestShare } from "./request-share.tsx";
import { TestSteps, type TestStepsProps } from "./test-steps.tsx";

const Steps = formPart(TestSteps);

interface FormAsideProps extends TestStepsProps {
  /** Below the form the share of requests stands in its section of routing instead. */
  isBeside: boolean;
}

/** Beside the form: what its test does, and which share of requests the channel gets. */
export function FormAside({ isBeside, ...props }: FormAsideProps) {
  return (
    <>
      <Steps {...props} />
      {isBeside && <RequestShare form={props.form} channelId={props.stored?.id ?? 0} isAside />}
    </>
  );
}
