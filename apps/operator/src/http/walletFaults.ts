import { isWalletErrorCode, WALLET_ERROR_CODES, WALLET_ERRORS, WALLET_ROUTES } from '@roundhouse/contract';
import { createFaultSwitch, type FaultSwitch } from '@roundhouse/faults';

/** What can be made to go wrong on the wallet's wire, by a test or at the studio bench. */
export function createWalletFaults(): FaultSwitch {
  return createFaultSwitch({
    paths: Object.values(WALLET_ROUTES).map(({ path }) => path),
    errorCodes: WALLET_ERROR_CODES,
    answerError: (code) => ({
      status: isWalletErrorCode(code) ? WALLET_ERRORS[code].status : 500,
      body: code === undefined ? { message: 'out of order' } : { error: code, message: 'a fault that was switched on' },
    }),
  });
}
