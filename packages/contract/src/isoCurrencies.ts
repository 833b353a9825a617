import { CURRENCY_CODES, type CurrencyCode } from './displayFacts.ts';

/**
 * Lists ISO 4217 without the 21: money that people have. It leaves out codes for funds (CLF, USN),
 * for metals (XAU), for tests (XTS) and for no currency (XXX).
 */
const OTHER_CODES = `
  AED AFN ALL AMD AOA AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BSD BTN BWP BYN BZD CDF CHF COP CRC CUP CVE CZK DJF
  DOP DZD EGP ERN ETB FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF ILS IQD IRR ISK JMD JOD KES KGS KHR KMF
  KPW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MYR MZN NAD NGN NIO NOK NPR NZD
  OMR PAB PGK PKR PYG QAR RON RSD RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP
  TTD TWD TZS UAH UGX UYU UZS VED VES VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG`;

/** Every server knows these: the 21, then the other currencies of ISO 4217 by code. */
export const KNOWN_CURRENCY_CODES: readonly CurrencyCode[] = [...CURRENCY_CODES, ...OTHER_CODES.trim().split(/\s+/)];
