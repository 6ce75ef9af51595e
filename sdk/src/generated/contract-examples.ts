// Generated from openapi.yaml by generate/contract-examples.mjs. Don't edit it.
import type { Answer } from '../testing/answer.ts';

/** Every answer that the contract gives an example of, by endpoint and name. */
export interface ContractExamples {
  listAgents: {
    'with_next_page': Answer<'listAgents', 200>,
    'last_page': Answer<'listAgents', 200>,
    'broad_search': Answer<'listAgents', 200>,
    'with_facets': Answer<'listAgents', 200>,
    'empty': Answer<'listAgents', 200>,
    'not_modified': Answer<'listAgents', 304>,
    'limit_out_of_range': Answer<'listAgents', 400>,
    'unknown_parameter': Answer<'listAgents', 400>,
    'unknown_category': Answer<'listAgents', 400>,
    'foreign_cursor': Answer<'listAgents', 400>,
    'per_address': Answer<'listAgents', 429>,
    'internal_error': Answer<'listAgents', 500>,
    'unavailable': Answer<'listAgents', 503>,
  };
  getAgent: {
    'unverified_creator': Answer<'getAgent', 200>,
    'verified_creator': Answer<'getAgent', 200>,
    'no_repository_metrics': Answer<'getAgent', 200>,
    'partly_known_metrics': Answer<'getAgent', 200>,
    'not_scored_yet': Answer<'getAgent', 200>,
    'container': Answer<'getAgent', 200>,
    'not_modified': Answer<'getAgent', 304>,
    'malformed_id': Answer<'getAgent', 400>,
    'unknown_id': Answer<'getAgent', 404>,
    'delisted': Answer<'getAgent', 410>,
    'per_address': Answer<'getAgent', 429>,
    'internal_error': Answer<'getAgent', 500>,
    'unavailable': Answer<'getAgent', 503>,
  };
  getAgentLineage: {
    'with_descendant': Answer<'getAgentLineage', 200>,
    'with_ancestor': Answer<'getAgentLineage', 200>,
    'alone': Answer<'getAgentLineage', 200>,
    'not_modified': Answer<'getAgentLineage', 304>,
    'malformed_id': Answer<'getAgentLineage', 400>,
    'unknown_id': Answer<'getAgentLineage', 404>,
    'delisted': Answer<'getAgentLineage', 410>,
    'per_address': Answer<'getAgentLineage', 429>,
    'internal_error': Answer<'getAgentLineage', 500>,
    'unavailable': Answer<'getAgentLineage', 503>,
  };
  getIdentity: {
    'verified': Answer<'getIdentity', 200>,
    'unverified_without_score': Answer<'getIdentity', 200>,
    'not_modified': Answer<'getIdentity', 304>,
    'malformed_handle': Answer<'getIdentity', 400>,
    'unknown_handle': Answer<'getIdentity', 404>,
    'per_address': Answer<'getIdentity', 429>,
    'internal_error': Answer<'getIdentity', 500>,
    'unavailable': Answer<'getIdentity', 503>,
  };
  lookupSubject: {
    'agent': Answer<'lookupSubject', 200>,
    'part_of_a_repository': Answer<'lookupSubject', 200>,
    'package_version': Answer<'lookupSubject', 200>,
    'account': Answer<'lookupSubject', 200>,
    'not_scored_yet': Answer<'lookupSubject', 200>,
    'not_modified': Answer<'lookupSubject', 304>,
    'subject_missing': Answer<'lookupSubject', 400>,
    'unknown_type': Answer<'lookupSubject', 400>,
    'unknown_subject': Answer<'lookupSubject', 404>,
    'subject_ambiguous': Answer<'lookupSubject', 409>,
    'delisted': Answer<'lookupSubject', 410>,
    'per_address': Answer<'lookupSubject', 429>,
    'internal_error': Answer<'lookupSubject', 500>,
    'unavailable': Answer<'lookupSubject', 503>,
  };
  getSubject: {
    'agent': Answer<'getSubject', 200>,
    'part_of_a_repository': Answer<'getSubject', 200>,
    'package_version': Answer<'getSubject', 200>,
    'account': Answer<'getSubject', 200>,
    'not_scored_yet': Answer<'getSubject', 200>,
    'not_modified': Answer<'getSubject', 304>,
    'malformed_id': Answer<'getSubject', 400>,
    'unknown_subject': Answer<'getSubject', 404>,
    'delisted': Answer<'getSubject', 410>,
    'per_address': Answer<'getSubject', 429>,
    'internal_error': Answer<'getSubject', 500>,
    'unavailable': Answer<'getSubject', 503>,
  };
  getScoreSignature: {
    'skill': Answer<'getScoreSignature', 200>,
    'not_modified': Answer<'getScoreSignature', 304>,
    'malformed_id': Answer<'getScoreSignature', 400>,
    'unknown_subject': Answer<'getScoreSignature', 404>,
    'without_score': Answer<'getScoreSignature', 404>,
    'unsigned': Answer<'getScoreSignature', 404>,
    'delisted': Answer<'getScoreSignature', 410>,
    'per_address': Answer<'getScoreSignature', 429>,
    'internal_error': Answer<'getScoreSignature', 500>,
    'unavailable': Answer<'getScoreSignature', 503>,
  };
  listSigningKeys: {
    'one_key': Answer<'listSigningKeys', 200>,
    'unsigned': Answer<'listSigningKeys', 200>,
    'not_modified': Answer<'listSigningKeys', 304>,
    'unknown_parameter': Answer<'listSigningKeys', 400>,
    'per_address': Answer<'listSigningKeys', 429>,
    'internal_error': Answer<'listSigningKeys', 500>,
    'unavailable': Answer<'listSigningKeys', 503>,
  };
  lookupSubjects: {
    'lock_file': Answer<'lookupSubjects', 200>,
    'any_form': Answer<'lookupSubjects', 200>,
    'subjects_missing': Answer<'lookupSubjects', 400>,
    'too_many': Answer<'lookupSubjects', 400>,
    'unknown_type': Answer<'lookupSubjects', 400>,
    'too_large': Answer<'lookupSubjects', 413>,
    'not_json': Answer<'lookupSubjects', 415>,
    'per_address': Answer<'lookupSubjects', 429>,
    'internal_error': Answer<'lookupSubjects', 500>,
    'unavailable': Answer<'lookupSubjects', 503>,
  };
  explainScore: {
    'current_score': Answer<'explainScore', 200>,
    'capped_score': Answer<'explainScore', 200>,
    'score_of_a_backend': Answer<'explainScore', 200>,
    'not_scored_yet': Answer<'explainScore', 200>,
    'container': Answer<'explainScore', 200>,
    'old_name': Answer<'explainScore', 200>,
    'not_modified': Answer<'explainScore', 304>,
    'malformed_id': Answer<'explainScore', 400>,
    'malformed_time': Answer<'explainScore', 400>,
    'unknown_subject': Answer<'explainScore', 404>,
    'no_score_then': Answer<'explainScore', 404>,
    'no_score_yet': Answer<'explainScore', 404>,
    'delisted': Answer<'explainScore', 410>,
    'per_address': Answer<'explainScore', 429>,
    'internal_error': Answer<'explainScore', 500>,
    'unavailable': Answer<'explainScore', 503>,
  };
  listScoreHistory: {
    'with_next_page': Answer<'listScoreHistory', 200>,
    'last_page': Answer<'listScoreHistory', 200>,
    'empty': Answer<'listScoreHistory', 200>,
    'not_modified': Answer<'listScoreHistory', 304>,
    'malformed_id': Answer<'listScoreHistory', 400>,
    'limit_out_of_range': Answer<'listScoreHistory', 400>,
    'foreign_cursor': Answer<'listScoreHistory', 400>,
    'unknown_subject': Answer<'listScoreHistory', 404>,
    'delisted': Answer<'listScoreHistory', 410>,
    'per_address': Answer<'listScoreHistory', 429>,
    'internal_error': Answer<'listScoreHistory', 500>,
    'unavailable': Answer<'listScoreHistory', 503>,
  };
  compareScores: {
    'changed': Answer<'compareScores', 200>,
    'unchanged': Answer<'compareScores', 200>,
    'scores_of_a_backend': Answer<'compareScores', 200>,
    'not_modified': Answer<'compareScores', 304>,
    'malformed_id': Answer<'compareScores', 400>,
    'malformed_time': Answer<'compareScores', 400>,
    'times_reversed': Answer<'compareScores', 400>,
    'unknown_subject': Answer<'compareScores', 404>,
    'no_score_then': Answer<'compareScores', 404>,
    'no_score_yet': Answer<'compareScores', 404>,
    'delisted': Answer<'compareScores', 410>,
    'per_address': Answer<'compareScores', 429>,
    'internal_error': Answer<'compareScores', 500>,
    'unavailable': Answer<'compareScores', 503>,
  };
  getPackage: {
    'affected': Answer<'getPackage', 200>,
    'not_affected': Answer<'getPackage', 200>,
    'missing': Answer<'getPackage', 200>,
    'unknown': Answer<'getPackage', 200>,
    'not_modified': Answer<'getPackage', 304>,
    'malformed_package': Answer<'getPackage', 400>,
    'malformed_version': Answer<'getPackage', 400>,
    'per_address': Answer<'getPackage', 429>,
    'internal_error': Answer<'getPackage', 500>,
    'unavailable': Answer<'getPackage', 503>,
  };
  listChanges: {
    'with_next_page': Answer<'listChanges', 200>,
    'creator': Answer<'listChanges', 200>,
    'nothing_new': Answer<'listChanges', 200>,
    'not_modified': Answer<'listChanges', 304>,
    'foreign_cursor': Answer<'listChanges', 400>,
    'unknown_kind': Answer<'listChanges', 400>,
    'expired': Answer<'listChanges', 410>,
    'per_address': Answer<'listChanges', 429>,
    'internal_error': Answer<'listChanges', 500>,
    'unavailable': Answer<'listChanges', 503>,
  };
  registerAgent: {
    'taken_over': Answer<'registerAgent', 200>,
    'registered': Answer<'registerAgent', 201>,
    'missing_field': Answer<'registerAgent', 400>,
    'not_json': Answer<'registerAgent', 400>,
    'description_too_long': Answer<'registerAgent', 400>,
    'host_not_allowed': Answer<'registerAgent', 400>,
    'unknown_parent': Answer<'registerAgent', 400>,
    'missing': Answer<'registerAgent', 401>,
    'malformed_or_unknown': Answer<'registerAgent', 401>,
    'expired': Answer<'registerAgent', 401>,
    'revoked': Answer<'registerAgent', 401>,
    'paused': Answer<'registerAgent', 401>,
    'account_suspended': Answer<'registerAgent', 401>,
    'session_ended': Answer<'registerAgent', 401>,
    'missing_scope': Answer<'registerAgent', 403>,
    'no_handle': Answer<'registerAgent', 403>,
    'foreign_origin': Answer<'registerAgent', 403>,
    'already_registered': Answer<'registerAgent', 409>,
    'delisted': Answer<'registerAgent', 410>,
    'too_large': Answer<'registerAgent', 413>,
    'not_json_415': Answer<'registerAgent', 415>,
    'idempotency_key_reused': Answer<'registerAgent', 422>,
    'per_key': Answer<'registerAgent', 429>,
    'failed_credentials': Answer<'registerAgent', 429>,
    'internal_error': Answer<'registerAgent', 500>,
    'unavailable': Answer<'registerAgent', 503>,
  };
  runOperation: {
    'agent_score': Answer<'runOperation', 200>,
    'skill_score': Answer<'runOperation', 200>,
    'creator_score': Answer<'runOperation', 200>,
    'social_account_score': Answer<'runOperation', 200>,
    'messenger_account_score': Answer<'runOperation', 200>,
    'agent_skill_lineage': Answer<'runOperation', 200>,
    'replay': Answer<'runOperation', 200>,
    'dry_run': Answer<'runOperation', 200>,
    'included': Answer<'runOperation', 200>,
    'partial': Answer<'runOperation', 200>,
    'unscored_creator': Answer<'runOperation', 200>,
    'missing_field': Answer<'runOperation', 400>,
    'unknown_field': Answer<'runOperation', 400>,
    'invalid_json': Answer<'runOperation', 400>,
    'invalid_channel': Answer<'runOperation', 400>,
    'invalid_operation': Answer<'runOperation', 400>,
    'missing': Answer<'runOperation', 401>,
    'malformed_or_unknown': Answer<'runOperation', 401>,
    'expired': Answer<'runOperation', 401>,
    'revoked': Answer<'runOperation', 401>,
    'key_inactive': Answer<'runOperation', 401>,
    'account_suspended': Answer<'runOperation', 401>,
    'session_ended': Answer<'runOperation', 401>,
    'insufficient_credits': Answer<'runOperation', 402>,
    'key_limit_exceeded': Answer<'runOperation', 402>,
    'overage_is_off': Answer<'runOperation', 402>,
    'insufficient_scope': Answer<'runOperation', 403>,
    'key_mismatch': Answer<'runOperation', 403>,
    'key_inactive_403': Answer<'runOperation', 403>,
    'foreign_key': Answer<'runOperation', 403>,
    'csrf_failed': Answer<'runOperation', 403>,
    'subject_not_found': Answer<'runOperation', 404>,
    'other_type': Answer<'runOperation', 404>,
    'subject_delisted': Answer<'runOperation', 404>,
    'subject_ambiguous': Answer<'runOperation', 409>,
    'idempotency_in_progress': Answer<'runOperation', 409>,
    'too_large': Answer<'runOperation', 413>,
    'not_json': Answer<'runOperation', 415>,
    'idempotency_key_reused': Answer<'runOperation', 422>,
    'per_account': Answer<'runOperation', 429>,
    'failed_credentials': Answer<'runOperation', 429>,
    'too_many_attempts': Answer<'runOperation', 429>,
    'internal_error': Answer<'runOperation', 500>,
    'mcp_not_available': Answer<'runOperation', 501>,
    'scoring_failed': Answer<'runOperation', 502>,
    'unavailable': Answer<'runOperation', 503>,
  };
  listLinkedAccounts: {
    'proved_and_pending': Answer<'listLinkedAccounts', 200>,
    'none': Answer<'listLinkedAccounts', 200>,
    'unknown_parameter': Answer<'listLinkedAccounts', 400>,
    'foreign_cursor': Answer<'listLinkedAccounts', 400>,
    'session_ended': Answer<'listLinkedAccounts', 401>,
    'key_not_taken': Answer<'listLinkedAccounts', 401>,
    'per_session': Answer<'listLinkedAccounts', 429>,
    'internal_error': Answer<'listLinkedAccounts', 500>,
    'unavailable': Answer<'listLinkedAccounts', 503>,
  };
  linkAccount: {
    'linked': Answer<'linkAccount', 201>,
    'missing_field': Answer<'linkAccount', 400>,
    'unreadable_host': Answer<'linkAccount', 400>,
    'session_ended': Answer<'linkAccount', 401>,
    'key_not_taken': Answer<'linkAccount', 401>,
    'sign_in_again': Answer<'linkAccount', 403>,
    'foreign_origin': Answer<'linkAccount', 403>,
    'too_large': Answer<'linkAccount', 413>,
    'not_json': Answer<'linkAccount', 415>,
    'per_session': Answer<'linkAccount', 429>,
    'internal_error': Answer<'linkAccount', 500>,
    'unavailable': Answer<'linkAccount', 503>,
  };
  removeLinkedAccount: {
    'no_content': Answer<'removeLinkedAccount', 204>,
    'malformed_id': Answer<'removeLinkedAccount', 400>,
    'session_ended': Answer<'removeLinkedAccount', 401>,
    'key_not_taken': Answer<'removeLinkedAccount', 401>,
    'sign_in_again': Answer<'removeLinkedAccount', 403>,
    'foreign_origin': Answer<'removeLinkedAccount', 403>,
    'unknown_id': Answer<'removeLinkedAccount', 404>,
    'per_session': Answer<'removeLinkedAccount', 429>,
    'internal_error': Answer<'removeLinkedAccount', 500>,
    'unavailable': Answer<'removeLinkedAccount', 503>,
  };
  verifyLinkedAccount: {
    'proved': Answer<'verifyLinkedAccount', 200>,
    'malformed_id': Answer<'verifyLinkedAccount', 400>,
    'session_ended': Answer<'verifyLinkedAccount', 401>,
    'key_not_taken': Answer<'verifyLinkedAccount', 401>,
    'sign_in_again': Answer<'verifyLinkedAccount', 403>,
    'foreign_origin': Answer<'verifyLinkedAccount', 403>,
    'unknown_id': Answer<'verifyLinkedAccount', 404>,
    'code_not_published': Answer<'verifyLinkedAccount', 409>,
    'code_expired': Answer<'verifyLinkedAccount', 409>,
    'per_session': Answer<'verifyLinkedAccount', 429>,
    'internal_error': Answer<'verifyLinkedAccount', 500>,
    'host_away': Answer<'verifyLinkedAccount', 503>,
    'unavailable': Answer<'verifyLinkedAccount', 503>,
  };
  listChildren: {
    'one_waiting': Answer<'listChildren', 200>,
    'none': Answer<'listChildren', 200>,
    'unknown_parameter': Answer<'listChildren', 400>,
    'foreign_cursor': Answer<'listChildren', 400>,
    'session_ended': Answer<'listChildren', 401>,
    'key_not_taken': Answer<'listChildren', 401>,
    'per_session': Answer<'listChildren', 429>,
    'internal_error': Answer<'listChildren', 500>,
    'unavailable': Answer<'listChildren', 503>,
  };
  acknowledgeChild: {
    'acknowledged': Answer<'acknowledgeChild', 200>,
    'malformed_id': Answer<'acknowledgeChild', 400>,
    'session_ended': Answer<'acknowledgeChild', 401>,
    'key_not_taken': Answer<'acknowledgeChild', 401>,
    'unverified_creator': Answer<'acknowledgeChild', 403>,
    'foreign_origin': Answer<'acknowledgeChild', 403>,
    'not_a_child': Answer<'acknowledgeChild', 404>,
    'per_session': Answer<'acknowledgeChild', 429>,
    'internal_error': Answer<'acknowledgeChild', 500>,
    'unavailable': Answer<'acknowledgeChild', 503>,
  };
  withdrawAcknowledgement: {
    'withdrawn': Answer<'withdrawAcknowledgement', 200>,
    'malformed_id': Answer<'withdrawAcknowledgement', 400>,
    'session_ended': Answer<'withdrawAcknowledgement', 401>,
    'key_not_taken': Answer<'withdrawAcknowledgement', 401>,
    'unverified_creator': Answer<'withdrawAcknowledgement', 403>,
    'foreign_origin': Answer<'withdrawAcknowledgement', 403>,
    'not_a_child': Answer<'withdrawAcknowledgement', 404>,
    'per_session': Answer<'withdrawAcknowledgement', 429>,
    'internal_error': Answer<'withdrawAcknowledgement', 500>,
    'unavailable': Answer<'withdrawAcknowledgement', 503>,
  };
  listOwnAgents: {
    'last_page': Answer<'listOwnAgents', 200>,
    'with_next_page': Answer<'listOwnAgents', 200>,
    'none': Answer<'listOwnAgents', 200>,
    'unknown_parameter': Answer<'listOwnAgents', 400>,
    'foreign_cursor': Answer<'listOwnAgents', 400>,
    'session_ended': Answer<'listOwnAgents', 401>,
    'key_not_taken': Answer<'listOwnAgents', 401>,
    'per_session': Answer<'listOwnAgents', 429>,
    'internal_error': Answer<'listOwnAgents', 500>,
    'unavailable': Answer<'listOwnAgents', 503>,
  };
  refreshScore: {
    'scored': Answer<'refreshScore', 200>,
    'malformed_id': Answer<'refreshScore', 400>,
    'session_ended': Answer<'refreshScore', 401>,
    'key_not_taken': Answer<'refreshScore', 401>,
    'foreign_origin': Answer<'refreshScore', 403>,
    'not_yours': Answer<'refreshScore', 404>,
    'per_session': Answer<'refreshScore', 429>,
    'just_asked': Answer<'refreshScore', 429>,
    'internal_error': Answer<'refreshScore', 500>,
    'not_scored': Answer<'refreshScore', 503>,
    'unavailable': Answer<'refreshScore', 503>,
  };
  getSession: {
    'signed_in': Answer<'getSession', 200>,
    'no_handle_yet': Answer<'getSession', 200>,
    'unknown_parameter': Answer<'getSession', 400>,
    'foreign_cursor': Answer<'getSession', 400>,
    'session_ended': Answer<'getSession', 401>,
    'key_not_taken': Answer<'getSession', 401>,
    'per_session': Answer<'getSession', 429>,
    'internal_error': Answer<'getSession', 500>,
    'unavailable': Answer<'getSession', 503>,
  };
  signOut: {
    'no_content': Answer<'signOut', 204>,
    'unknown_parameter': Answer<'signOut', 400>,
    'foreign_cursor': Answer<'signOut', 400>,
    'session_ended': Answer<'signOut', 401>,
    'key_not_taken': Answer<'signOut', 401>,
    'foreign_origin': Answer<'signOut', 403>,
    'per_session': Answer<'signOut', 429>,
    'internal_error': Answer<'signOut', 500>,
    'unavailable': Answer<'signOut', 503>,
  };
  signOutEverywhere: {
    'two_browsers': Answer<'signOutEverywhere', 200>,
    'unknown_parameter': Answer<'signOutEverywhere', 400>,
    'foreign_cursor': Answer<'signOutEverywhere', 400>,
    'session_ended': Answer<'signOutEverywhere', 401>,
    'key_not_taken': Answer<'signOutEverywhere', 401>,
    'foreign_origin': Answer<'signOutEverywhere', 403>,
    'per_session': Answer<'signOutEverywhere', 429>,
    'internal_error': Answer<'signOutEverywhere', 500>,
    'unavailable': Answer<'signOutEverywhere', 503>,
  };
  getBalance: {
    'builder': Answer<'getBalance', 200>,
    'free': Answer<'getBalance', 200>,
    'unknown_parameter': Answer<'getBalance', 400>,
    'foreign_cursor': Answer<'getBalance', 400>,
    'session_ended': Answer<'getBalance', 401>,
    'key_not_taken': Answer<'getBalance', 401>,
    'per_session': Answer<'getBalance', 429>,
    'internal_error': Answer<'getBalance', 500>,
    'unavailable': Answer<'getBalance', 503>,
  };
  setOverage: {
    'opted_in': Answer<'setOverage', 200>,
    'no_overage': Answer<'setOverage', 400>,
    'beyond_the_plan': Answer<'setOverage', 400>,
    'missing_field': Answer<'setOverage', 400>,
    'session_ended': Answer<'setOverage', 401>,
    'key_not_taken': Answer<'setOverage', 401>,
    'sign_in_again': Answer<'setOverage', 403>,
    'foreign_origin': Answer<'setOverage', 403>,
    'too_large': Answer<'setOverage', 413>,
    'not_json': Answer<'setOverage', 415>,
    'per_session': Answer<'setOverage', 429>,
    'internal_error': Answer<'setOverage', 500>,
    'unavailable': Answer<'setOverage', 503>,
  };
  setHandle: {
    'signed_in': Answer<'setHandle', 200>,
    'malformed': Answer<'setHandle', 400>,
    'kept': Answer<'setHandle', 400>,
    'session_ended': Answer<'setHandle', 401>,
    'key_not_taken': Answer<'setHandle', 401>,
    'sign_in_again': Answer<'setHandle', 403>,
    'foreign_origin': Answer<'setHandle', 403>,
    'taken': Answer<'setHandle', 409>,
    'too_large': Answer<'setHandle', 413>,
    'not_json': Answer<'setHandle', 415>,
    'per_session': Answer<'setHandle', 429>,
    'internal_error': Answer<'setHandle', 500>,
    'unavailable': Answer<'setHandle', 503>,
  };
  listKeys: {
    'last_page': Answer<'listKeys', 200>,
    'with_next_page': Answer<'listKeys', 200>,
    'none': Answer<'listKeys', 200>,
    'unknown_parameter': Answer<'listKeys', 400>,
    'unknown_state': Answer<'listKeys', 400>,
    'foreign_cursor': Answer<'listKeys', 400>,
    'session_ended': Answer<'listKeys', 401>,
    'key_not_taken': Answer<'listKeys', 401>,
    'per_session': Answer<'listKeys', 429>,
    'internal_error': Answer<'listKeys', 500>,
    'unavailable': Answer<'listKeys', 503>,
  };
  createKey: {
    'created': Answer<'createKey', 201>,
    'no_scopes': Answer<'createKey', 400>,
    'past_expiry': Answer<'createKey', 400>,
    'not_replaceable': Answer<'createKey', 400>,
    'session_ended': Answer<'createKey', 401>,
    'key_not_taken': Answer<'createKey', 401>,
    'sign_in_again': Answer<'createKey', 403>,
    'foreign_origin': Answer<'createKey', 403>,
    'no_free_slot': Answer<'createKey', 409>,
    'too_large': Answer<'createKey', 413>,
    'not_json': Answer<'createKey', 415>,
    'per_session': Answer<'createKey', 429>,
    'internal_error': Answer<'createKey', 500>,
    'unavailable': Answer<'createKey', 503>,
  };
  revokeKey: {
    'revoked': Answer<'revokeKey', 200>,
    'malformed_id': Answer<'revokeKey', 400>,
    'session_ended': Answer<'revokeKey', 401>,
    'key_not_taken': Answer<'revokeKey', 401>,
    'foreign_origin': Answer<'revokeKey', 403>,
    'unknown_id': Answer<'revokeKey', 404>,
    'per_session': Answer<'revokeKey', 429>,
    'internal_error': Answer<'revokeKey', 500>,
    'unavailable': Answer<'revokeKey', 503>,
  };
  setKeyLimits: {
    'limited': Answer<'setKeyLimits', 200>,
    'missing_field': Answer<'setKeyLimits', 400>,
    'negative': Answer<'setKeyLimits', 400>,
    'revoked': Answer<'setKeyLimits', 400>,
    'session_ended': Answer<'setKeyLimits', 401>,
    'key_not_taken': Answer<'setKeyLimits', 401>,
    'foreign_origin': Answer<'setKeyLimits', 403>,
    'unknown_id': Answer<'setKeyLimits', 404>,
    'too_large': Answer<'setKeyLimits', 413>,
    'not_json': Answer<'setKeyLimits', 415>,
    'per_session': Answer<'setKeyLimits', 429>,
    'internal_error': Answer<'setKeyLimits', 500>,
    'unavailable': Answer<'setKeyLimits', 503>,
  };
  pauseKey: {
    'paused': Answer<'pauseKey', 200>,
    'revoked': Answer<'pauseKey', 400>,
    'malformed_id': Answer<'pauseKey', 400>,
    'session_ended': Answer<'pauseKey', 401>,
    'key_not_taken': Answer<'pauseKey', 401>,
    'foreign_origin': Answer<'pauseKey', 403>,
    'unknown_id': Answer<'pauseKey', 404>,
    'per_session': Answer<'pauseKey', 429>,
    'internal_error': Answer<'pauseKey', 500>,
    'unavailable': Answer<'pauseKey', 503>,
  };
  resumeKey: {
    'resumed': Answer<'resumeKey', 200>,
    'revoked': Answer<'resumeKey', 400>,
    'malformed_id': Answer<'resumeKey', 400>,
    'session_ended': Answer<'resumeKey', 401>,
    'key_not_taken': Answer<'resumeKey', 401>,
    'foreign_origin': Answer<'resumeKey', 403>,
    'unknown_id': Answer<'resumeKey', 404>,
    'no_free_slot': Answer<'resumeKey', 409>,
    'per_session': Answer<'resumeKey', 429>,
    'internal_error': Answer<'resumeKey', 500>,
    'unavailable': Answer<'resumeKey', 503>,
  };
  listUsage: {
    'last_page': Answer<'listUsage', 200>,
    'with_next_page': Answer<'listUsage', 200>,
    'none': Answer<'listUsage', 200>,
    'unknown_parameter': Answer<'listUsage', 400>,
    'no_such_day': Answer<'listUsage', 400>,
    'days_reversed': Answer<'listUsage', 400>,
    'foreign_cursor': Answer<'listUsage', 400>,
    'session_ended': Answer<'listUsage', 401>,
    'key_not_taken': Answer<'listUsage', 401>,
    'per_session': Answer<'listUsage', 429>,
    'internal_error': Answer<'listUsage', 500>,
    'unavailable': Answer<'listUsage', 503>,
  };
  exportUsage: {
    'month': Answer<'exportUsage', 200>,
    'none': Answer<'exportUsage', 200>,
    'unknown_parameter': Answer<'exportUsage', 400>,
    'no_such_day': Answer<'exportUsage', 400>,
    'days_reversed': Answer<'exportUsage', 400>,
    'foreign_cursor': Answer<'exportUsage', 400>,
    'session_ended': Answer<'exportUsage', 401>,
    'key_not_taken': Answer<'exportUsage', 401>,
    'per_session': Answer<'exportUsage', 429>,
    'internal_error': Answer<'exportUsage', 500>,
    'unavailable': Answer<'exportUsage', 503>,
  };
  readBalance: {
    'limited_key': Answer<'readBalance', 200>,
    'session': Answer<'readBalance', 200>,
    'unknown_parameter': Answer<'readBalance', 400>,
    'foreign_cursor': Answer<'readBalance', 400>,
    'missing': Answer<'readBalance', 401>,
    'malformed_or_unknown': Answer<'readBalance', 401>,
    'expired': Answer<'readBalance', 401>,
    'revoked': Answer<'readBalance', 401>,
    'paused': Answer<'readBalance', 401>,
    'account_suspended': Answer<'readBalance', 401>,
    'session_ended': Answer<'readBalance', 401>,
    'missing_scope': Answer<'readBalance', 403>,
    'foreign_origin': Answer<'readBalance', 403>,
    'per_key': Answer<'readBalance', 429>,
    'failed_credentials': Answer<'readBalance', 429>,
    'internal_error': Answer<'readBalance', 500>,
    'unavailable': Answer<'readBalance', 503>,
  };
  readUsage: {
    'last_page': Answer<'readUsage', 200>,
    'with_next_page': Answer<'readUsage', 200>,
    'none': Answer<'readUsage', 200>,
    'unknown_parameter': Answer<'readUsage', 400>,
    'no_such_day': Answer<'readUsage', 400>,
    'days_reversed': Answer<'readUsage', 400>,
    'foreign_cursor': Answer<'readUsage', 400>,
    'missing': Answer<'readUsage', 401>,
    'malformed_or_unknown': Answer<'readUsage', 401>,
    'expired': Answer<'readUsage', 401>,
    'revoked': Answer<'readUsage', 401>,
    'paused': Answer<'readUsage', 401>,
    'account_suspended': Answer<'readUsage', 401>,
    'session_ended': Answer<'readUsage', 401>,
    'missing_scope': Answer<'readUsage', 403>,
    'foreign_origin': Answer<'readUsage', 403>,
    'per_key': Answer<'readUsage', 429>,
    'failed_credentials': Answer<'readUsage', 429>,
    'internal_error': Answer<'readUsage', 500>,
    'unavailable': Answer<'readUsage', 503>,
  };
  listReceipts: {
    'with_next_page': Answer<'listReceipts', 200>,
    'last_page': Answer<'listReceipts', 200>,
    'empty': Answer<'listReceipts', 200>,
    'limit_out_of_range': Answer<'listReceipts', 400>,
    'unknown_state': Answer<'listReceipts', 400>,
    'no_such_day': Answer<'listReceipts', 400>,
    'days_reversed': Answer<'listReceipts', 400>,
    'foreign_cursor': Answer<'listReceipts', 400>,
    'missing': Answer<'listReceipts', 401>,
    'malformed_or_unknown': Answer<'listReceipts', 401>,
    'expired': Answer<'listReceipts', 401>,
    'revoked': Answer<'listReceipts', 401>,
    'paused': Answer<'listReceipts', 401>,
    'account_suspended': Answer<'listReceipts', 401>,
    'session_ended': Answer<'listReceipts', 401>,
    'per_key': Answer<'listReceipts', 429>,
    'failed_credentials': Answer<'listReceipts', 429>,
    'internal_error': Answer<'listReceipts', 500>,
    'unavailable': Answer<'listReceipts', 503>,
  };
  getReceipt: {
    'settled': Answer<'getReceipt', 200>,
    'failed': Answer<'getReceipt', 200>,
    'under_way': Answer<'getReceipt', 200>,
    'malformed_id': Answer<'getReceipt', 400>,
    'missing': Answer<'getReceipt', 401>,
    'malformed_or_unknown': Answer<'getReceipt', 401>,
    'expired': Answer<'getReceipt', 401>,
    'revoked': Answer<'getReceipt', 401>,
    'paused': Answer<'getReceipt', 401>,
    'account_suspended': Answer<'getReceipt', 401>,
    'session_ended': Answer<'getReceipt', 401>,
    'unknown_receipt': Answer<'getReceipt', 404>,
    'per_key': Answer<'getReceipt', 429>,
    'failed_credentials': Answer<'getReceipt', 429>,
    'internal_error': Answer<'getReceipt', 500>,
    'unavailable': Answer<'getReceipt', 503>,
  };
}

/** Method and path of every endpoint. */
export const routes = {
  listAgents: { method: 'get', path: '/api/agents' },
  getAgent: { method: 'get', path: '/api/agents/{id}' },
  getAgentLineage: { method: 'get', path: '/api/agents/{id}/lineage' },
  getIdentity: { method: 'get', path: '/api/identity/{handle}' },
  lookupSubject: { method: 'get', path: '/api/subjects' },
  getSubject: { method: 'get', path: '/api/subjects/{canonical_id}' },
  getScoreSignature: { method: 'get', path: '/api/subjects/{canonical_id}/signature' },
  listSigningKeys: { method: 'get', path: '/.well-known/jwks.json' },
  lookupSubjects: { method: 'post', path: '/api/subjects/lookup' },
  explainScore: { method: 'get', path: '/api/subjects/{canonical_id}/explain' },
  listScoreHistory: { method: 'get', path: '/api/subjects/{canonical_id}/history' },
  compareScores: { method: 'get', path: '/api/subjects/{canonical_id}/difference' },
  getPackage: { method: 'get', path: '/api/packages' },
  listChanges: { method: 'get', path: '/api/changes' },
  registerAgent: { method: 'post', path: '/api/agents/register' },
  runOperation: { method: 'post', path: '/api/svc/operations/run' },
  listLinkedAccounts: { method: 'get', path: '/api/console/linked-accounts' },
  linkAccount: { method: 'post', path: '/api/console/linked-accounts' },
  removeLinkedAccount: { method: 'delete', path: '/api/console/linked-accounts/{id}' },
  verifyLinkedAccount: { method: 'post', path: '/api/console/linked-accounts/{id}/verify' },
  listChildren: { method: 'get', path: '/api/console/lineage' },
  acknowledgeChild: { method: 'put', path: '/api/console/lineage/{childId}/acknowledgement' },
  withdrawAcknowledgement: { method: 'delete', path: '/api/console/lineage/{childId}/acknowledgement' },
  listOwnAgents: { method: 'get', path: '/api/console/agents' },
  refreshScore: { method: 'post', path: '/api/console/agents/{id}/score' },
  getSession: { method: 'get', path: '/api/console/session' },
  signOut: { method: 'delete', path: '/api/console/session' },
  signOutEverywhere: { method: 'delete', path: '/api/console/sessions' },
  getBalance: { method: 'get', path: '/api/console/balance' },
  setOverage: { method: 'put', path: '/api/console/overage' },
  setHandle: { method: 'put', path: '/api/console/handle' },
  listKeys: { method: 'get', path: '/api/console/keys' },
  createKey: { method: 'post', path: '/api/console/keys' },
  revokeKey: { method: 'delete', path: '/api/console/keys/{id}' },
  setKeyLimits: { method: 'put', path: '/api/console/keys/{id}/limits' },
  pauseKey: { method: 'post', path: '/api/console/keys/{id}/pause' },
  resumeKey: { method: 'post', path: '/api/console/keys/{id}/resume' },
  listUsage: { method: 'get', path: '/api/console/usage' },
  exportUsage: { method: 'get', path: '/api/console/usage.csv' },
  readBalance: { method: 'get', path: '/api/balance' },
  readUsage: { method: 'get', path: '/api/usage' },
  listReceipts: { method: 'get', path: '/api/receipts' },
  getReceipt: { method: 'get', path: '/api/receipts/{ledger_id}' },
} as const;

const answer0 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "ETag": "W/\"5f-9b1d3c7e2a\"",
    "Cache-Control": "public, no-cache",
    "Link": "</api/agents?limit=2&cursor=WzYwLjgsNDguMiwiQUdULTdLMk1ROVhEIl0>; rel=\"next\""
  },
  "body": {
    "data": [
      {
        "id": "AGT-C0NT3XT7",
        "type": "skill",
        "name": "Context7 MCP",
        "description": "Up-to-date code documentation for LLMs and AI code editors.",
        "category": "research",
        "tags": [
          "documentation",
          "llm",
          "mcp",
          "prompt-context",
          "up-to-date-docs",
          "code-examples",
          "cursor",
          "claude"
        ],
        "kind": "mcp-server",
        "license": "MIT",
        "creator": {
          "handle": "upstash",
          "displayName": "upstash",
          "verified": false,
          "trustScore": null,
          "confidence": null
        },
        "repoHost": {
          "url": "https://github.com/upstash/context7",
          "stars": 61060,
          "forks": 2939,
          "openIssues": 21,
          "lastCommit": "2026-08-21T08:01:35Z"
        },
        "repositoryUrl": "https://github.com/upstash/context7",
        "verified": false,
        "trustScore": 64.1,
        "confidence": 55.5,
        "tier": "medium",
        "verdict": {
          "state": "well_evidenced",
          "sentence": "Very widely used and maintained; owner not verified.",
          "reasons": [
            {
              "code": "very_widely_used",
              "text": "very widely used"
            },
            {
              "code": "maintained",
              "text": "maintained"
            },
            {
              "code": "owner_not_verified",
              "text": "owner not verified"
            },
            {
              "code": "open_source",
              "text": "open-source licence"
            }
          ]
        },
        "listedAt": "2026-08-23T07:00:00Z",
        "updatedAt": "2026-11-20T09:14:03Z"
      },
      {
        "id": "AGT-7K2MQ9XD",
        "type": "agent",
        "name": "Gemini CLI",
        "description": "🆕 Google's terminal-first coding agent for large-context refactors.",
        "category": "coding",
        "tags": [
          "gemini",
          "gemini-api",
          "ai",
          "ai-agents",
          "cli",
          "mcp-client",
          "mcp-server"
        ],
        "kind": "agent",
        "license": null,
        "creator": {
          "handle": "google-gemini",
          "displayName": "google-gemini",
          "verified": false,
          "trustScore": null,
          "confidence": null
        },
        "repoHost": {
          "url": "https://github.com/google-gemini/gemini-cli",
          "stars": 106608,
          "forks": 14458,
          "openIssues": 546,
          "lastCommit": "2026-08-22T01:10:05Z"
        },
        "repositoryUrl": "https://github.com/google-gemini/gemini-cli",
        "verified": false,
        "trustScore": 60.8,
        "confidence": 48.2,
        "tier": "medium",
        "verdict": {
          "state": "well_evidenced",
          "sentence": "Very widely used and maintained; owner not verified; licence not known.",
          "reasons": [
            {
              "code": "very_widely_used",
              "text": "very widely used"
            },
            {
              "code": "maintained",
              "text": "maintained"
            },
            {
              "code": "owner_not_verified",
              "text": "owner not verified"
            },
            {
              "code": "license_unknown",
              "text": "licence not known"
            }
          ]
        },
        "listedAt": "2026-08-23T07:00:00Z",
        "updatedAt": "2026-11-20T09:14:03Z"
      }
    ],
    "total": 18001,
    "totalIsLowerBound": false,
    "offset": 0,
    "limit": 2,
    "nextCursor": "WzYwLjgsNDguMiwiQUdULTdLMk1ROVhEIl0",
    "did_you_mean": null,
    "ignoredWords": []
  }
} as const;

const answer1 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "ETag": "W/\"5f-9b1d3c7e2a\"",
    "Cache-Control": "public, no-cache"
  },
  "body": {
    "data": [
      {
        "id": "AGT-3F8WZ1RB",
        "type": "agent",
        "name": "Qwen Code",
        "description": "Alibaba Qwen team's open-source terminal coding agent — agent teams, auto-memory, IDE integrations, multi-provider (OpenAI / Anthropic / Gemini / Qwen). 26K+ stars.",
        "category": "coding",
        "tags": [
          "agentic",
          "ai",
          "ai-agent",
          "ai-coding",
          "cli",
          "coding-agent",
          "developer-tools",
          "llm"
        ],
        "kind": "agent",
        "license": null,
        "creator": {
          "handle": "QwenLM",
          "displayName": "QwenLM",
          "verified": false,
          "trustScore": null,
          "confidence": null
        },
        "repoHost": {
          "url": "https://github.com/QwenLM/qwen-code",
          "stars": 27277
        },
        "repositoryUrl": "https://github.com/QwenLM/qwen-code",
        "verified": false,
        "trustScore": 44.7,
        "confidence": 19.6,
        "tier": "low",
        "verdict": {
          "state": "little_evidence",
          "sentence": "Very widely used; no activity data; owner not verified; licence not known.",
          "reasons": [
            {
              "code": "very_widely_used",
              "text": "very widely used"
            },
            {
              "code": "activity_unknown",
              "text": "no activity data"
            },
            {
              "code": "owner_not_verified",
              "text": "owner not verified"
            },
            {
              "code": "license_unknown",
              "text": "licence not known"
            }
          ]
        },
        "listedAt": "2026-08-23T07:00:00Z",
        "updatedAt": "2026-11-20T09:14:03Z"
      },
      {
        "id": "AGT-0GHM9P4S",
        "type": "skill",
        "name": "github-mcp-server",
        "description": "A TypeScript-based MCP server that integrates with GitHub's API, enabling AI assistants to manage repositories, issues, pull requests, and more through a structured interface.",
        "category": "coding",
        "tags": [],
        "kind": "mcp-server",
        "license": null,
        "creator": {
          "handle": "cyanheads",
          "displayName": "cyanheads",
          "verified": false,
          "trustScore": null,
          "confidence": null
        },
        "repoHost": null,
        "repositoryUrl": "https://github.com/cyanheads/github-mcp-server",
        "verified": false,
        "trustScore": 29.1,
        "confidence": 11.3,
        "tier": "low",
        "verdict": {
          "state": "little_evidence",
          "sentence": "No usage or activity data yet; owner not verified; licence not known.",
          "reasons": [
            {
              "code": "use_unknown",
              "text": "no usage data"
            },
            {
              "code": "activity_unknown",
              "text": "no activity data"
            },
            {
              "code": "owner_not_verified",
              "text": "owner not verified"
            },
            {
              "code": "license_unknown",
              "text": "licence not known"
            }
          ]
        },
        "listedAt": "2026-08-23T07:00:00Z",
        "updatedAt": "2026-08-23T07:00:00Z"
      }
    ],
    "total": 18001,
    "totalIsLowerBound": false,
    "offset": 17999,
    "limit": 20,
    "nextCursor": null,
    "did_you_mean": null,
    "ignoredWords": []
  }
} as const;

const answer2 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "ETag": "W/\"5f-9b1d3c7e2a\"",
    "Cache-Control": "public, no-cache",
    "Link": "</api/agents?limit=2&cursor=WzYwLjgsNDguMiwiQUdULTdLMk1ROVhEIl0>; rel=\"next\""
  },
  "body": {
    "data": [
      {
        "id": "AGT-7K2MQ9XD",
        "type": "agent",
        "name": "Gemini CLI",
        "description": "🆕 Google's terminal-first coding agent for large-context refactors.",
        "category": "coding",
        "tags": [
          "gemini",
          "gemini-api",
          "ai",
          "ai-agents",
          "cli",
          "mcp-client",
          "mcp-server"
        ],
        "kind": "agent",
        "license": null,
        "creator": {
          "handle": "google-gemini",
          "displayName": "google-gemini",
          "verified": false,
          "trustScore": null,
          "confidence": null
        },
        "repoHost": {
          "url": "https://github.com/google-gemini/gemini-cli",
          "stars": 106608,
          "forks": 14458,
          "openIssues": 546,
          "lastCommit": "2026-08-22T01:10:05Z"
        },
        "repositoryUrl": "https://github.com/google-gemini/gemini-cli",
        "verified": false,
        "trustScore": 60.8,
        "confidence": 48.2,
        "tier": "medium",
        "verdict": {
          "state": "well_evidenced",
          "sentence": "Very widely used and maintained; owner not verified; licence not known.",
          "reasons": [
            {
              "code": "very_widely_used",
              "text": "very widely used"
            },
            {
              "code": "maintained",
              "text": "maintained"
            },
            {
              "code": "owner_not_verified",
              "text": "owner not verified"
            },
            {
              "code": "license_unknown",
              "text": "licence not known"
            }
          ]
        },
        "listedAt": "2026-08-23T07:00:00Z",
        "updatedAt": "2026-11-20T09:14:03Z"
      }
    ],
    "total": 10000,
    "totalIsLowerBound": true,
    "offset": 0,
    "limit": 1,
    "nextCursor": "WzYwLjgsNDguMiwiQUdULTdLMk1ROVhEIl0",
    "did_you_mean": null,
    "ignoredWords": [
      {
        "word": "the",
        "reason": "common"
      }
    ]
  }
} as const;

const answer3 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "ETag": "W/\"5f-9b1d3c7e2a\"",
    "Cache-Control": "public, no-cache"
  },
  "body": {
    "data": [],
    "total": 0,
    "offset": 0,
    "limit": 20,
    "nextCursor": null,
    "did_you_mean": null,
    "ignoredWords": [],
    "facets": {
      "tier": [
        {
          "value": "medium",
          "count": 41,
          "isLowerBound": false
        },
        {
          "value": "low",
          "count": 312,
          "isLowerBound": false
        }
      ],
      "verdict": []
    }
  }
} as const;

const answer4 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "ETag": "W/\"5f-9b1d3c7e2a\"",
    "Cache-Control": "public, no-cache"
  },
  "body": {
    "data": [],
    "total": 0,
    "totalIsLowerBound": false,
    "offset": 0,
    "limit": 20,
    "nextCursor": null,
    "did_you_mean": null,
    "ignoredWords": [
      {
        "word": "flux",
        "reason": "unknown"
      },
      {
        "word": "capacitor",
        "reason": "unknown"
      }
    ],
    "nearest": [
      {
        "id": "AGT-7K2MQ9XD",
        "type": "agent",
        "name": "Gemini CLI",
        "description": "🆕 Google's terminal-first coding agent for large-context refactors.",
        "category": "coding",
        "tags": [
          "gemini",
          "gemini-api",
          "ai",
          "ai-agents",
          "cli",
          "mcp-client",
          "mcp-server"
        ],
        "kind": "agent",
        "license": null,
        "creator": {
          "handle": "google-gemini",
          "displayName": "google-gemini",
          "verified": false,
          "trustScore": null,
          "confidence": null
        },
        "repoHost": {
          "url": "https://github.com/google-gemini/gemini-cli",
          "stars": 106608,
          "forks": 14458,
          "openIssues": 546,
          "lastCommit": "2026-08-22T01:10:05Z"
        },
        "repositoryUrl": "https://github.com/google-gemini/gemini-cli",
        "verified": false,
        "trustScore": 60.8,
        "confidence": 48.2,
        "tier": "medium",
        "verdict": {
          "state": "well_evidenced",
          "sentence": "Very widely used and maintained; owner not verified; licence not known.",
          "reasons": [
            {
              "code": "very_widely_used",
              "text": "very widely used"
            },
            {
              "code": "maintained",
              "text": "maintained"
            },
            {
              "code": "owner_not_verified",
              "text": "owner not verified"
            },
            {
              "code": "license_unknown",
              "text": "licence not known"
            }
          ]
        },
        "listedAt": "2026-08-23T07:00:00Z",
        "updatedAt": "2026-11-20T09:14:03Z"
      }
    ]
  }
} as const;

const answer5 = {
  "status": 304,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "ETag": "W/\"5f-9b1d3c7e2a\"",
    "Cache-Control": "public, no-cache"
  },
  "body": null
} as const;

const answer6 = {
  "status": 400,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "invalid_request",
    "message": "limit must be at most 100.",
    "status": 400
  }
} as const;

const answer7 = {
  "status": 400,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "invalid_request",
    "message": "Unknown query parameter \"page\". Allowed: q, verified, tier, category, sort, limit, offset, cursor.",
    "status": 400
  }
} as const;

const answer8 = {
  "status": 400,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "invalid_request",
    "message": "category must be one of: coding, research, productivity, data, automation, creative, infrastructure, communication, other.",
    "status": 400
  }
} as const;

const answer9 = {
  "status": 400,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "invalid_request",
    "message": "cursor does not belong to this list. Start again without it.",
    "status": 400
  }
} as const;

const answer10 = {
  "status": 429,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "0",
    "X-RateLimit-Reset": "2",
    "Retry-After": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "rate_limited",
    "message": "Too many requests: 120 a minute are allowed. Retry in 2 s.",
    "status": 429
  }
} as const;

const answer11 = {
  "status": 500,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "internal_error",
    "message": "Something went wrong on our side. It was logged under the request id.",
    "status": 500
  }
} as const;

const answer12 = {
  "status": 503,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Retry-After": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "unavailable",
    "message": "The service cannot reach its database just now. Retry in a moment.",
    "status": 503
  }
} as const;

const answer13 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "ETag": "W/\"5f-9b1d3c7e2a\"",
    "Cache-Control": "public, no-cache"
  },
  "body": {
    "id": "AGT-7K2MQ9XD",
    "type": "agent",
    "name": "Gemini CLI",
    "description": "🆕 Google's terminal-first coding agent for large-context refactors.",
    "category": "coding",
    "tags": [
      "gemini",
      "gemini-api",
      "ai",
      "ai-agents",
      "cli",
      "mcp-client",
      "mcp-server"
    ],
    "kind": "agent",
    "license": null,
    "packageConfirmed": null,
    "container": null,
    "packages": [],
    "creator": {
      "handle": "google-gemini",
      "displayName": "google-gemini",
      "verified": false,
      "trustScore": null,
      "confidence": null
    },
    "repoHost": {
      "url": "https://github.com/google-gemini/gemini-cli",
      "stars": 106608,
      "forks": 14458,
      "openIssues": 546,
      "lastCommit": "2026-08-22T01:10:05Z"
    },
    "repositoryUrl": "https://github.com/google-gemini/gemini-cli",
    "verified": false,
    "trustScore": 60.8,
    "confidence": 48.2,
    "tier": "medium",
    "verdict": {
      "state": "well_evidenced",
      "sentence": "Very widely used and maintained; owner not verified; licence not known.",
      "reasons": [
        {
          "code": "very_widely_used",
          "text": "very widely used"
        },
        {
          "code": "maintained",
          "text": "maintained"
        },
        {
          "code": "owner_not_verified",
          "text": "owner not verified"
        },
        {
          "code": "license_unknown",
          "text": "licence not known"
        }
      ]
    },
    "standing": {
      "category": "coding",
      "type": "agent",
      "percentile": 97,
      "among": 812,
      "asOf": "2026-11-20T06:00:00.000000Z"
    },
    "listedAt": "2026-08-23T07:00:00Z",
    "updatedAt": "2026-11-20T09:14:03Z"
  }
} as const;

const answer14 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "ETag": "W/\"5f-9b1d3c7e2a\"",
    "Cache-Control": "public, no-cache"
  },
  "body": {
    "id": "AGT-5N6TYV2H",
    "type": "agent",
    "name": "Changelog Agent",
    "description": "Reads merged pull requests and drafts release notes.",
    "category": "coding",
    "tags": [
      "release-notes",
      "github"
    ],
    "kind": "agent",
    "license": "MIT",
    "packageConfirmed": false,
    "packages": [
      {
        "registry": "npm",
        "name": "example-changelog",
        "standing": "confirmed"
      },
      {
        "registry": "pypi",
        "name": "example-unpublished",
        "standing": "missing"
      },
      {
        "registry": "oci",
        "name": "ghcr.io/example-labs/changelog:1.2.0",
        "standing": "confirmed"
      }
    ],
    "creator": {
      "handle": "example-labs",
      "displayName": "Example Labs",
      "verified": true,
      "trustScore": 48.5,
      "confidence": 58.6
    },
    "repoHost": {
      "url": "https://github.com/example-labs/changelog-agent",
      "stars": 40,
      "forks": 6,
      "openIssues": 2,
      "lastCommit": "2026-11-10T10:00:00Z"
    },
    "repositoryUrl": "https://github.com/example-labs/changelog-agent",
    "verified": true,
    "trustScore": 66.6,
    "confidence": 77.6,
    "tier": "high",
    "verdict": {
      "state": "verified",
      "sentence": "Some users, active; owner verified.",
      "reasons": [
        {
          "code": "used_by_some",
          "text": "some users"
        },
        {
          "code": "active",
          "text": "active"
        },
        {
          "code": "owner_verified",
          "text": "owner verified"
        },
        {
          "code": "open_source",
          "text": "open-source licence"
        }
      ]
    },
    "listedAt": "2026-10-02T12:30:41Z",
    "updatedAt": "2026-11-20T09:14:03Z"
  }
} as const;

const answer15 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "ETag": "W/\"5f-9b1d3c7e2a\"",
    "Cache-Control": "public, no-cache"
  },
  "body": {
    "id": "AGT-0GHM9P4S",
    "type": "skill",
    "name": "github-mcp-server",
    "description": "A TypeScript-based MCP server that integrates with GitHub's API, enabling AI assistants to manage repositories, issues, pull requests, and more through a structured interface.",
    "category": "coding",
    "tags": [],
    "kind": "mcp-server",
    "license": null,
    "creator": {
      "handle": "cyanheads",
      "displayName": "cyanheads",
      "verified": false,
      "trustScore": null,
      "confidence": null
    },
    "repoHost": null,
    "repositoryUrl": "https://github.com/cyanheads/github-mcp-server",
    "verified": false,
    "trustScore": 29.1,
    "confidence": 11.3,
    "tier": "low",
    "verdict": {
      "state": "little_evidence",
      "sentence": "No usage or activity data yet; owner not verified; licence not known.",
      "reasons": [
        {
          "code": "use_unknown",
          "text": "no usage data"
        },
        {
          "code": "activity_unknown",
          "text": "no activity data"
        },
        {
          "code": "owner_not_verified",
          "text": "owner not verified"
        },
        {
          "code": "license_unknown",
          "text": "licence not known"
        }
      ]
    },
    "listedAt": "2026-08-23T07:00:00Z",
    "updatedAt": "2026-08-23T07:00:00Z"
  }
} as const;

const answer16 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "ETag": "W/\"5f-9b1d3c7e2a\"",
    "Cache-Control": "public, no-cache"
  },
  "body": {
    "id": "AGT-3F8WZ1RB",
    "type": "agent",
    "name": "Qwen Code",
    "description": "Alibaba Qwen team's open-source terminal coding agent — agent teams, auto-memory, IDE integrations, multi-provider (OpenAI / Anthropic / Gemini / Qwen). 26K+ stars.",
    "category": "coding",
    "tags": [
      "agentic",
      "ai",
      "ai-agent",
      "ai-coding",
      "cli",
      "coding-agent",
      "developer-tools",
      "llm"
    ],
    "kind": "agent",
    "license": null,
    "creator": {
      "handle": "QwenLM",
      "displayName": "QwenLM",
      "verified": false,
      "trustScore": null,
      "confidence": null
    },
    "repoHost": {
      "url": "https://github.com/QwenLM/qwen-code",
      "stars": 27277
    },
    "repositoryUrl": "https://github.com/QwenLM/qwen-code",
    "verified": false,
    "trustScore": 44.7,
    "confidence": 19.6,
    "tier": "low",
    "verdict": {
      "state": "little_evidence",
      "sentence": "Very widely used; no activity data; owner not verified; licence not known.",
      "reasons": [
        {
          "code": "very_widely_used",
          "text": "very widely used"
        },
        {
          "code": "activity_unknown",
          "text": "no activity data"
        },
        {
          "code": "owner_not_verified",
          "text": "owner not verified"
        },
        {
          "code": "license_unknown",
          "text": "licence not known"
        }
      ]
    },
    "listedAt": "2026-08-23T07:00:00Z",
    "updatedAt": "2026-11-20T09:14:03Z"
  }
} as const;

const answer17 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "ETag": "W/\"5f-9b1d3c7e2a\"",
    "Cache-Control": "public, no-cache"
  },
  "body": {
    "id": "AGT-9WE5JZ3C",
    "type": "agent",
    "name": "ag2",
    "description": "🆕 ⚡ Stable 1.0.0 shipped July 27, 2026; latest v1.0.2 (August 15, 2026).",
    "category": "automation",
    "tags": [
      "a2a",
      "agent-framework",
      "llm",
      "python"
    ],
    "kind": "agent",
    "license": null,
    "creator": {
      "handle": "ag2ai",
      "displayName": "ag2ai",
      "verified": false,
      "trustScore": null,
      "confidence": null
    },
    "repoHost": {
      "url": "https://github.com/ag2ai/ag2",
      "stars": 4882
    },
    "repositoryUrl": "https://github.com/ag2ai/ag2",
    "verified": false,
    "trustScore": null,
    "confidence": null,
    "tier": "low",
    "verdict": null,
    "standing": null,
    "listedAt": "2026-08-23T07:00:00Z",
    "updatedAt": "2026-08-23T07:00:00Z"
  }
} as const;

const answer18 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "ETag": "W/\"5f-9b1d3c7e2a\"",
    "Cache-Control": "public, no-cache"
  },
  "body": {
    "id": "AGT-8S1K3LLZ",
    "type": "skill",
    "name": "agent-skills",
    "description": "Vercel's official collection of agent skills",
    "category": "coding",
    "tags": [],
    "kind": "skill",
    "license": null,
    "container": {
      "parts": 13,
      "because": "name"
    },
    "creator": {
      "handle": "vercel-labs",
      "displayName": "vercel-labs",
      "verified": false,
      "trustScore": null,
      "confidence": null
    },
    "repoHost": {
      "url": "https://github.com/vercel-labs/agent-skills",
      "stars": 28346
    },
    "repositoryUrl": "https://github.com/vercel-labs/agent-skills",
    "verified": false,
    "trustScore": 44.6,
    "confidence": 19.6,
    "tier": "low",
    "verdict": {
      "state": "little_evidence",
      "sentence": "Very widely used; no activity data; owner not verified; licence not known.",
      "reasons": [
        {
          "code": "very_widely_used",
          "text": "very widely used"
        },
        {
          "code": "activity_unknown",
          "text": "no activity data"
        },
        {
          "code": "owner_not_verified",
          "text": "owner not verified"
        },
        {
          "code": "license_unknown",
          "text": "licence not known"
        }
      ]
    },
    "listedAt": "2026-08-23T07:00:00Z",
    "updatedAt": "2026-11-20T09:14:03Z"
  }
} as const;

const answer19 = {
  "status": 400,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "invalid_request",
    "message": "id must be AGT- and eight letters or digits, such as AGT-7K2MQ9XD.",
    "status": 400
  }
} as const;

const answer20 = {
  "status": 404,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "not_found",
    "message": "No agent or skill has the id AGT-00000000.",
    "status": 404
  }
} as const;

const answer21 = {
  "status": 410,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "gone",
    "message": "github.com/example-labs/old-agent was removed by the operator of this directory on 2026-11-20: It was a copy of another project under a false name.",
    "status": 410
  }
} as const;

const answer22 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "ETag": "W/\"5f-9b1d3c7e2a\"",
    "Cache-Control": "public, no-cache"
  },
  "body": {
    "root": {
      "id": "AGT-7K2MQ9XD",
      "type": "agent",
      "name": "Gemini CLI",
      "description": "🆕 Google's terminal-first coding agent for large-context refactors.",
      "category": "coding",
      "tags": [
        "gemini",
        "gemini-api",
        "ai",
        "ai-agents",
        "cli",
        "mcp-client",
        "mcp-server"
      ],
      "kind": "agent",
      "license": null,
      "creator": {
        "handle": "google-gemini",
        "displayName": "google-gemini",
        "verified": false,
        "trustScore": null,
        "confidence": null
      },
      "repoHost": {
        "url": "https://github.com/google-gemini/gemini-cli",
        "stars": 106608,
        "forks": 14458,
        "openIssues": 546,
        "lastCommit": "2026-08-22T01:10:05Z"
      },
      "repositoryUrl": "https://github.com/google-gemini/gemini-cli",
      "verified": false,
      "trustScore": 60.8,
      "confidence": 48.2,
      "tier": "medium",
      "listedAt": "2026-08-23T07:00:00Z",
      "updatedAt": "2026-11-20T09:14:03Z"
    },
    "ancestors": [],
    "descendants": [
      {
        "agent": {
          "id": "AGT-3F8WZ1RB",
          "type": "agent",
          "name": "Qwen Code",
          "description": "Alibaba Qwen team's open-source terminal coding agent — agent teams, auto-memory, IDE integrations, multi-provider (OpenAI / Anthropic / Gemini / Qwen). 26K+ stars.",
          "category": "coding",
          "tags": [
            "agentic",
            "ai",
            "ai-agent",
            "ai-coding",
            "cli",
            "coding-agent",
            "developer-tools",
            "llm"
          ],
          "kind": "agent",
          "license": null,
          "creator": {
            "handle": "QwenLM",
            "displayName": "QwenLM",
            "verified": false,
            "trustScore": null,
            "confidence": null
          },
          "repoHost": {
            "url": "https://github.com/QwenLM/qwen-code",
            "stars": 27277
          },
          "repositoryUrl": "https://github.com/QwenLM/qwen-code",
          "verified": false,
          "trustScore": 44.7,
          "confidence": 19.6,
          "tier": "low",
          "listedAt": "2026-08-23T07:00:00Z",
          "updatedAt": "2026-11-20T09:14:03Z"
        },
        "parentId": "AGT-7K2MQ9XD",
        "trustEquityFlow": 12.5
      }
    ],
    "depth": 1
  }
} as const;

const answer23 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "ETag": "W/\"5f-9b1d3c7e2a\"",
    "Cache-Control": "public, no-cache"
  },
  "body": {
    "root": {
      "id": "AGT-3F8WZ1RB",
      "type": "agent",
      "name": "Qwen Code",
      "description": "Alibaba Qwen team's open-source terminal coding agent — agent teams, auto-memory, IDE integrations, multi-provider (OpenAI / Anthropic / Gemini / Qwen). 26K+ stars.",
      "category": "coding",
      "tags": [
        "agentic",
        "ai",
        "ai-agent",
        "ai-coding",
        "cli",
        "coding-agent",
        "developer-tools",
        "llm"
      ],
      "kind": "agent",
      "license": null,
      "creator": {
        "handle": "QwenLM",
        "displayName": "QwenLM",
        "verified": false,
        "trustScore": null,
        "confidence": null
      },
      "repoHost": {
        "url": "https://github.com/QwenLM/qwen-code",
        "stars": 27277
      },
      "repositoryUrl": "https://github.com/QwenLM/qwen-code",
      "verified": false,
      "trustScore": 44.7,
      "confidence": 19.6,
      "tier": "low",
      "listedAt": "2026-08-23T07:00:00Z",
      "updatedAt": "2026-11-20T09:14:03Z"
    },
    "ancestors": [
      {
        "agent": {
          "id": "AGT-7K2MQ9XD",
          "type": "agent",
          "name": "Gemini CLI",
          "description": "🆕 Google's terminal-first coding agent for large-context refactors.",
          "category": "coding",
          "tags": [
            "gemini",
            "gemini-api",
            "ai",
            "ai-agents",
            "cli",
            "mcp-client",
            "mcp-server"
          ],
          "kind": "agent",
          "license": null,
          "creator": {
            "handle": "google-gemini",
            "displayName": "google-gemini",
            "verified": false,
            "trustScore": null,
            "confidence": null
          },
          "repoHost": {
            "url": "https://github.com/google-gemini/gemini-cli",
            "stars": 106608,
            "forks": 14458,
            "openIssues": 546,
            "lastCommit": "2026-08-22T01:10:05Z"
          },
          "repositoryUrl": "https://github.com/google-gemini/gemini-cli",
          "verified": false,
          "trustScore": 60.8,
          "confidence": 48.2,
          "tier": "medium",
          "listedAt": "2026-08-23T07:00:00Z",
          "updatedAt": "2026-11-20T09:14:03Z"
        },
        "parentId": null,
        "trustEquityFlow": 0
      }
    ],
    "descendants": [],
    "relations": [
      {
        "kind": "fork_of",
        "direction": "outgoing",
        "subject": {
          "id": "AGT-7K2MQ9XD",
          "repository": "google-gemini/gemini-cli"
        },
        "among": 1,
        "stated": true,
        "evidence": null,
        "source": "registration",
        "since": "2026-08-23T07:00:00.000000Z"
      }
    ],
    "depth": 1
  }
} as const;

const answer24 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "ETag": "W/\"5f-9b1d3c7e2a\"",
    "Cache-Control": "public, no-cache"
  },
  "body": {
    "root": {
      "id": "AGT-5N6TYV2H",
      "type": "agent",
      "name": "Changelog Agent",
      "description": "Reads merged pull requests and drafts release notes.",
      "category": "coding",
      "tags": [
        "release-notes",
        "github"
      ],
      "kind": "agent",
      "license": "MIT",
      "creator": {
        "handle": "example-labs",
        "displayName": "Example Labs",
        "verified": true,
        "trustScore": 48.5,
        "confidence": 58.6
      },
      "repoHost": {
        "url": "https://github.com/example-labs/changelog-agent",
        "stars": 40,
        "forks": 6,
        "openIssues": 2,
        "lastCommit": "2026-11-10T10:00:00Z"
      },
      "repositoryUrl": "https://github.com/example-labs/changelog-agent",
      "verified": true,
      "trustScore": 66.6,
      "confidence": 77.6,
      "tier": "high",
      "listedAt": "2026-10-02T12:30:41Z",
      "updatedAt": "2026-11-20T09:14:03Z"
    },
    "ancestors": [],
    "descendants": [],
    "depth": 0
  }
} as const;

const answer25 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "ETag": "W/\"5f-9b1d3c7e2a\"",
    "Cache-Control": "public, no-cache"
  },
  "body": {
    "handle": "example-labs",
    "displayName": "Example Labs",
    "trustScore": 48.5,
    "confidence": 58.6,
    "tier": "low",
    "verifiedAccounts": {
      "repoHost": true,
      "nodePackages": true
    },
    "attestedAccounts": {},
    "agentCount": 1,
    "trustEquity": 0
  }
} as const;

const answer26 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "ETag": "W/\"5f-9b1d3c7e2a\"",
    "Cache-Control": "public, no-cache"
  },
  "body": {
    "handle": "google-gemini",
    "displayName": "google-gemini",
    "trustScore": null,
    "confidence": null,
    "tier": "low",
    "verifiedAccounts": {},
    "attestedAccounts": {},
    "agentCount": 1,
    "trustEquity": 8.2
  }
} as const;

const answer27 = {
  "status": 400,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "invalid_request",
    "message": "handle must look like @google-gemini or gitlab.com:example-labs.",
    "status": 400
  }
} as const;

const answer28 = {
  "status": 404,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "not_found",
    "message": "No creator has the handle nobody-here.",
    "status": 404
  }
} as const;

const answer29 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "ETag": "W/\"5f-9b1d3c7e2a\"",
    "Cache-Control": "public, no-cache"
  },
  "body": {
    "canonical_id": "b6f0a1de-52c7-4e0a-9c2b-7d41f0e35a88",
    "type": "agent",
    "agent_id": "AGT-7K2MQ9XD",
    "name": "gemini-cli",
    "repository": "google-gemini/gemini-cli",
    "public_path": "/a/google-gemini/gemini-cli",
    "trustScore": 60.8,
    "confidence": 44.1,
    "tier": "medium",
    "score_version": "2026-11-20T09:14:03.482915Z",
    "verified": false,
    "verdict": {
      "state": "well_evidenced",
      "sentence": "Widely used and maintained (last commit 14 Nov 2026); owner not verified.",
      "reasons": [
        {
          "code": "widely_used",
          "text": "widely used"
        },
        {
          "code": "maintained",
          "text": "maintained (last commit 14 Nov 2026)"
        },
        {
          "code": "owner_not_verified",
          "text": "owner not verified"
        }
      ]
    }
  }
} as const;

const answer30 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "ETag": "W/\"5f-9b1d3c7e2a\"",
    "Cache-Control": "public, no-cache"
  },
  "body": {
    "canonical_id": "5c1e9a40-3f0b-4b5c-8f0e-9a1d2c3b4e5f",
    "type": "skill",
    "agent_id": null,
    "name": "notes",
    "repository": "example-labs/changelog-agent",
    "public_path": "/s/example-labs/changelog-agent/notes",
    "trustScore": 38.2,
    "confidence": 31.7,
    "tier": "low",
    "score_version": "2026-11-20T09:14:03.482915Z",
    "relations": [
      {
        "kind": "identical_skill_file",
        "direction": "mutual",
        "subject": {
          "id": "AGT-7K2MQ9XD",
          "repository": "google-gemini/gemini-cli",
          "path": "skills/notes/SKILL.md"
        },
        "files": 1,
        "among": 2,
        "stated": false,
        "evidence": "both files are git blob 9f2c1d",
        "source": "example/skill-registry",
        "since": "2026-08-23T10:00:00.000000Z"
      }
    ]
  }
} as const;

const answer31 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "ETag": "W/\"5f-9b1d3c7e2a\"",
    "Cache-Control": "public, no-cache"
  },
  "body": {
    "canonical_id": "0f6c2f0e-5f0c-4c39-9d8e-2b7a1c4d5e6f",
    "type": "skill",
    "agent_id": "AGT-2N8XW4TC",
    "name": "mcp-mermaid",
    "repository": "hustcc/mcp-mermaid",
    "public_path": "/s/hustcc/mcp-mermaid",
    "trustScore": 47.2,
    "confidence": 58.3,
    "tier": "low",
    "score_version": "2026-11-20T09:14:03.482915Z",
    "package": {
      "package": "npm:mcp-mermaid",
      "version": "0.6.1",
      "confirmed": true,
      "standing": "affected",
      "version_standing": "affected",
      "advisories": [
        {
          "id": "MAL-2026-4147",
          "aliases": [],
          "summary": "Malicious code in mcp-mermaid (npm)",
          "category": "malware",
          "severity": null,
          "cvss": null,
          "disputed": false,
          "disputed_versions": [],
          "disputes": [],
          "withdrawn": false,
          "affected": [
            "0.5.1",
            "0.6.1"
          ],
          "source": "OpenSSF Malicious Packages",
          "url": "https://osv.dev/vulnerability/MAL-2026-4147",
          "modified": "2026-05-19T06:40:21.000000Z"
        }
      ],
      "as_of": "2026-11-23T09:14:00.000000Z"
    }
  }
} as const;

const answer32 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "ETag": "W/\"5f-9b1d3c7e2a\"",
    "Cache-Control": "public, no-cache"
  },
  "body": {
    "canonical_id": "3d5f3a5e-7c1b-4b0a-8e55-1f2a9c6d7e80",
    "type": "social_account",
    "agent_id": null,
    "name": "Example Labs",
    "repository": null,
    "public_path": "/u/x/example_labs",
    "trustScore": 69.6,
    "confidence": 66.1,
    "tier": "high",
    "score_version": "2026-11-20T09:14:03.482915Z"
  }
} as const;

const answer33 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "ETag": "W/\"5f-9b1d3c7e2a\"",
    "Cache-Control": "public, no-cache"
  },
  "body": {
    "canonical_id": "0f8e7d6c-5b4a-4938-a271-605f4e3d2c1b",
    "type": "creator",
    "agent_id": null,
    "name": "Example Labs",
    "repository": null,
    "public_path": "/c/example-labs",
    "trustScore": null,
    "confidence": null,
    "tier": "low",
    "score_version": null,
    "verified": false,
    "verdict": null
  }
} as const;

const answer34 = {
  "status": 400,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "invalid_request",
    "message": "subject is required.",
    "status": 400
  }
} as const;

const answer35 = {
  "status": 400,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "invalid_request",
    "message": "type must be one of: agent, skill, creator, social_account, messaging_account.",
    "status": 400
  }
} as const;

const answer36 = {
  "status": 404,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "not_found",
    "message": "No subject matches.",
    "status": 404
  }
} as const;

const answer37 = {
  "status": 409,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "subject_ambiguous",
    "message": "Several subjects have this name. Send the canonical_id of one of the candidates as subject.",
    "status": 409,
    "candidates": [
      {
        "canonical_id": "8f14e45f-ceea-467f-a8d1-7c2b9d3e5a10",
        "type": "skill",
        "name": "github-mcp-server",
        "repository": "cyanheads/github-mcp-server",
        "public_path": "/s/cyanheads/github-mcp-server"
      },
      {
        "canonical_id": "45c48cce-2e2d-4fbd-9a7b-1f0e6c8d2b73",
        "type": "skill",
        "name": "github-mcp-server",
        "repository": "kich555/github-mcp-server",
        "public_path": "/s/kich555/github-mcp-server"
      }
    ]
  }
} as const;

const answer38 = {
  "status": 400,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "invalid_request",
    "message": "canonical_id must be a UUID, such as 01a1f83b-fa57-7c41-9e0b-5d2f8a6c1e47.",
    "status": 400
  }
} as const;

const answer39 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "ETag": "W/\"5f-9b1d3c7e2a\"",
    "Cache-Control": "public, no-cache"
  },
  "body": {
    "jws": "eyJhbGciOiJFZERTQSIsImtpZCI6Im5mY0JYLXZpdXdKOWppZElsbUZPbEU5Wi11bTlpR1N2QnRUS3F5aVA4VnciLCJ0eXAiOiJ0cnVzdC1zY29yZStqd3QifQ.eyJjYXBzIjpbXSwiY29udHJpYnV0aW9ucyI6W3siZXZpZGVuY2UiOjAsIm9ic2VydmVkX2F0IjpudWxsLCJwb2ludHMiOjAsInJlYXNvbiI6Im5vYm9keSBoYXMgcHJvdmVkIHRoZSBhY2NvdW50IHRoYXQgb3ducyBpdCIsInNpZ25hbCI6InZlcmlmaWVkX2xpc3RpbmciLCJzb3VyY2UiOm51bGwsInN0YXR1cyI6Im1pc3NpbmciLCJ2YWx1ZSI6bnVsbCwid2VpZ2h0Ijo2fSx7ImV2aWRlbmNlIjowLCJvYnNlcnZlZF9hdCI6bnVsbCwicG9pbnRzIjowLCJyZWFzb24iOiJubyBhY2NvdW50IG9mIHRoZSBjcmVhdG9yIGlzIGtub3duIiwic2lnbmFsIjoiY3JlYXRvcl9hY2NvdW50cyIsInNvdXJjZSI6bnVsbCwic3RhdHVzIjoibWlzc2luZyIsInZhbHVlIjpudWxsLCJ3ZWlnaHQiOjd9LHsiZXZpZGVuY2UiOjAsIm9ic2VydmVkX2F0IjpudWxsLCJwb2ludHMiOjAsInJlYXNvbiI6InRoZSBhZ2Ugb2YgdGhlIGNyZWF0b3IncyBhY2NvdW50IGlzIG5vdCBrbm93biIsInNpZ25hbCI6ImNyZWF0b3JfYWdlIiwic291cmNlIjpudWxsLCJzdGF0dXMiOiJtaXNzaW5nIiwidmFsdWUiOm51bGwsIndlaWdodCI6NX0seyJldmlkZW5jZSI6MCwib2JzZXJ2ZWRfYXQiOm51bGwsInBvaW50cyI6MCwicmVhc29uIjoibm8gcHJvb2Ygb2YgaXRzIG1ha2VyIGlzIGtub3duIiwic2lnbmFsIjoib2ZmaWNpYWxfbWFrZXIiLCJzb3VyY2UiOm51bGwsInN0YXR1cyI6Im1pc3NpbmciLCJ2YWx1ZSI6bnVsbCwid2VpZ2h0Ijo1fSx7ImV2aWRlbmNlIjowLCJvYnNlcnZlZF9hdCI6bnVsbCwicG9pbnRzIjowLCJyZWFzb24iOiJubyBwYWNrYWdlIGFuZCByZXBvc2l0b3J5IHRoYXQgbmFtZSBlYWNoIG90aGVyIGFyZSBrbm93biIsInNpZ25hbCI6InBhY2thZ2VfY29uZmlybWVkIiwic291cmNlIjpudWxsLCJzdGF0dXMiOiJtaXNzaW5nIiwidmFsdWUiOm51bGwsIndlaWdodCI6NH0seyJldmlkZW5jZSI6MCwib2JzZXJ2ZWRfYXQiOm51bGwsInBvaW50cyI6MCwicmVhc29uIjoiYWR2aXNvcmllcyBhYm91dCBpdHMgcHVibGlzaGVkIHZlcnNpb24gYXJlIG5vdCBrbm93biIsInNpZ25hbCI6InZ1bG5lcmFiaWxpdGllcyIsInNvdXJjZSI6bnVsbCwic3RhdHVzIjoibWlzc2luZyIsInZhbHVlIjpudWxsLCJ3ZWlnaHQiOjEwfSx7ImV2aWRlbmNlIjowLCJvYnNlcnZlZF9hdCI6bnVsbCwicG9pbnRzIjowLCJyZWFzb24iOiJ0aGUgcHJvdmVuYW5jZSBvZiBpdHMgcGFja2FnZSBpcyBub3Qga25vd24iLCJzaWduYWwiOiJwcm92ZW5hbmNlIiwic291cmNlIjpudWxsLCJzdGF0dXMiOiJtaXNzaW5nIiwidmFsdWUiOm51bGwsIndlaWdodCI6NX0seyJldmlkZW5jZSI6My4zLCJvYnNlcnZlZF9hdCI6IjIwMjYtMDYtMjZUMDA6MDA6MDAuMDAwWiIsInBvaW50cyI6MjEuMjEyOCwicmVhc29uIjpudWxsLCJzaWduYWwiOiJmcmVzaG5lc3MiLCJzb3VyY2UiOiJjb29sendjL29wZW4tc2tpbGwtbWFya2V0Iiwic3RhdHVzIjoib2JzZXJ2ZWQiLCJ2YWx1ZSI6MC44MjA5LCJ3ZWlnaHQiOjExfSx7ImV2aWRlbmNlIjowLCJvYnNlcnZlZF9hdCI6bnVsbCwicG9pbnRzIjowLCJyZWFzb24iOiJ0aGUgY3JlYXRpb24gb2YgdGhlIHJlcG9zaXRvcnkgaXMgbm90IGtub3duIiwic2lnbmFsIjoicmVwb3NpdG9yeV9hZ2UiLCJzb3VyY2UiOm51bGwsInN0YXR1cyI6Im1pc3NpbmciLCJ2YWx1ZSI6bnVsbCwid2VpZ2h0Ijo0fSx7ImV2aWRlbmNlIjowLCJvYnNlcnZlZF9hdCI6bnVsbCwicG9pbnRzIjowLCJyZWFzb24iOiJ0aGUgcmVsZWFzZXMgYXJlIG5vdCBrbm93biIsInNpZ25hbCI6InJlbGVhc2VzIiwic291cmNlIjpudWxsLCJzdGF0dXMiOiJtaXNzaW5nIiwidmFsdWUiOm51bGwsIndlaWdodCI6M30seyJldmlkZW5jZSI6MCwib2JzZXJ2ZWRfYXQiOm51bGwsInBvaW50cyI6MCwicmVhc29uIjoidGhlIGNvbnRyaWJ1dG9ycyBhcmUgbm90IGtub3duIiwic2lnbmFsIjoiY29udHJpYnV0b3JzIiwic291cmNlIjpudWxsLCJzdGF0dXMiOiJtaXNzaW5nIiwidmFsdWUiOm51bGwsIndlaWdodCI6M30seyJldmlkZW5jZSI6MCwib2JzZXJ2ZWRfYXQiOm51bGwsInBvaW50cyI6MCwicmVhc29uIjoidGhlIG9wZW4gaXNzdWVzIGFyZSBub3Qga25vd24iLCJzaWduYWwiOiJpc3N1ZV9sb2FkIiwic291cmNlIjpudWxsLCJzdGF0dXMiOiJtaXNzaW5nIiwidmFsdWUiOm51bGwsIndlaWdodCI6M30seyJldmlkZW5jZSI6MCwib2JzZXJ2ZWRfYXQiOm51bGwsInBvaW50cyI6MCwicmVhc29uIjoibm8gT3BlblNTRiBTY29yZWNhcmQgaXMga25vd24iLCJzaWduYWwiOiJzY29yZWNhcmQiLCJzb3VyY2UiOm51bGwsInN0YXR1cyI6Im1pc3NpbmciLCJ2YWx1ZSI6bnVsbCwid2VpZ2h0Ijo0fSx7ImV2aWRlbmNlIjowLCJvYnNlcnZlZF9hdCI6bnVsbCwicG9pbnRzIjowLCJyZWFzb24iOiJub3Qga25vd24gd2hldGhlciBpdCBoYXMgYSBzZWN1cml0eSBwb2xpY3kiLCJzaWduYWwiOiJzZWN1cml0eV9wb2xpY3kiLCJzb3VyY2UiOm51bGwsInN0YXR1cyI6Im1pc3NpbmciLCJ2YWx1ZSI6bnVsbCwid2VpZ2h0IjoyfSx7ImV2aWRlbmNlIjozLCJvYnNlcnZlZF9hdCI6IjIwMjYtMDYtMjZUMDA6MDA6MDAuMDAwWiIsInBvaW50cyI6MjAuNDM3MiwicmVhc29uIjpudWxsLCJzaWduYWwiOiJzdGFycyIsInNvdXJjZSI6ImNvb2x6d2Mvb3Blbi1za2lsbC1tYXJrZXQiLCJzdGF0dXMiOiJvYnNlcnZlZCIsInZhbHVlIjowLjg3LCJ3ZWlnaHQiOjEwfSx7ImV2aWRlbmNlIjoxLjA1MDIsIm9ic2VydmVkX2F0IjoiMjAyNi0wNi0yNlQwMDowMDowMC4wMDBaIiwicG9pbnRzIjo2LjE3MDksInJlYXNvbiI6bnVsbCwic2lnbmFsIjoiZm9ya3MiLCJzb3VyY2UiOiJjb29sendjL29wZW4tc2tpbGwtbWFya2V0Iiwic3RhdHVzIjoib2JzZXJ2ZWQiLCJ2YWx1ZSI6MC43NTA0LCJ3ZWlnaHQiOjR9LHsiZXZpZGVuY2UiOjAsIm9ic2VydmVkX2F0IjpudWxsLCJwb2ludHMiOjAsInJlYXNvbiI6Im5vIGxpc3QgdGhhdCBuYW1lcyBpdCBpcyBrbm93biIsInNpZ25hbCI6Imxpc3RzIiwic291cmNlIjpudWxsLCJzdGF0dXMiOiJtaXNzaW5nIiwidmFsdWUiOm51bGwsIndlaWdodCI6NH0seyJldmlkZW5jZSI6MCwib2JzZXJ2ZWRfYXQiOm51bGwsInBvaW50cyI6MCwicmVhc29uIjoidGhlIGxpY2VuY2UgaXMgbm90IGtub3duIiwic2lnbmFsIjoibGljZW5zZSIsInNvdXJjZSI6bnVsbCwic3RhdHVzIjoibWlzc2luZyIsInZhbHVlIjpudWxsLCJ3ZWlnaHQiOjR9LHsiZXZpZGVuY2UiOjAuNDIsIm9ic2VydmVkX2F0IjoiMjAyNi0xMS0yMFQwOTowMDowMC4wMDBaIiwicG9pbnRzIjoxLjMxNTYsInJlYXNvbiI6bnVsbCwic2lnbmFsIjoibWV0YWRhdGEiLCJzb3VyY2UiOiJyZWdpc3RyeSIsInN0YXR1cyI6Im9ic2VydmVkIiwidmFsdWUiOjAuNCwid2VpZ2h0IjoyfSx7ImV2aWRlbmNlIjowLCJvYnNlcnZlZF9hdCI6bnVsbCwicG9pbnRzIjowLCJyZWFzb24iOiJubyBwYXJlbnQgaXMga25vd24iLCJzaWduYWwiOiJsaW5lYWdlIiwic291cmNlIjpudWxsLCJzdGF0dXMiOiJub3RfYXBwbGljYWJsZSIsInZhbHVlIjpudWxsLCJ3ZWlnaHQiOjR9XSwiZXhwIjoxNzk1NzcwODQzLCJpYXQiOjE3OTUxNjYwNDMsImlucHV0cyI6eyJmYWN0cyI6eyJhcmNoaXZlZCI6bnVsbCwiY3JlYXRvckFjY291bnRDcmVhdGVkQXQiOm51bGwsImNyZWF0b3JBY2NvdW50cyI6bnVsbCwiZGVwcmVjYXRlZCI6bnVsbCwiZm9ya3MiOnsib2JzZXJ2ZWRBdCI6IjIwMjYtMDYtMjZUMDA6MDA6MDAuMDAwWiIsInNvdXJjZSI6ImNvb2x6d2Mvb3Blbi1za2lsbC1tYXJrZXQiLCJ2YWx1ZSI6Mjk5fSwibGFzdENvbW1pdEF0Ijp7Im9ic2VydmVkQXQiOiIyMDI2LTA2LTI2VDAwOjAwOjAwLjAwMFoiLCJzb3VyY2UiOiJjb29sendjL29wZW4tc2tpbGwtbWFya2V0IiwidmFsdWUiOiIyMDI2LTA1LTA1VDE3OjUzOjMzLjAwMFoifSwibGljZW5zZSI6bnVsbCwibWV0YWRhdGEiOnsib2JzZXJ2ZWRBdCI6IjIwMjYtMTEtMjBUMDk6MDA6MDAuMDAwWiIsInNvdXJjZSI6InJlZ2lzdHJ5IiwidmFsdWUiOnsiY2F0ZWdvcnkiOnRydWUsImRlc2NyaXB0aW9uIjpmYWxzZSwiaG9tZXBhZ2UiOmZhbHNlLCJza2lsbE1hbmlmZXN0Ijp0cnVlLCJ0YWdzIjpmYWxzZX19LCJtb250aGx5RG93bmxvYWRzIjpudWxsLCJvcGVuSXNzdWVzIjpudWxsLCJwYXJlbnRzIjpbXSwicmVwb3NpdG9yeUNyZWF0ZWRBdCI6bnVsbCwic3RhcnMiOnsib2JzZXJ2ZWRBdCI6IjIwMjYtMDYtMjZUMDA6MDA6MDAuMDAwWiIsInNvdXJjZSI6ImNvb2x6d2Mvb3Blbi1za2lsbC1tYXJrZXQiLCJ2YWx1ZSI6MzAxOH0sInZlcmlmaWVkIjpudWxsfSwic3ViamVjdFR5cGUiOiJza2lsbCJ9LCJpbnB1dHNfaGFzaCI6InNoYTI1NjowZGI5NTg1M2JmMzNmM2I1OGY4ZTA4ODUyOGE4NWUwN2Q5ZTkwN2Y4ZTIwYzgyMWQwZjcwZDFlODlmYjE5NGQ3IiwiaXNzIjoiaHR0cDovLzEyNy4wLjAuMTo0MDAwIiwibWV0aG9kIjoicnMtMi4wLjAiLCJtZXRob2RfdmVyc2lvbiI6InJzLTIuMC4wIiwic2NvcmVfdmVyc2lvbiI6IjIwMjYtMTEtMjBUMDk6MTQ6MDMuNDgyOTE1WiIsInNjb3JlZF9hdCI6IjIwMjYtMTEtMjBUMDk6MTQ6MDMuNDgyWiIsInNjb3JlcyI6eyJjb25maWRlbmNlIjoyNS40LCJjb3ZlcmFnZSI6MC4yODEzLCJsb3dlcl9ib3VuZCI6MzguNCwib3duX2NvbmZpZGVuY2UiOjI1LjQsIm93bl90cnVzdCI6NjIuOCwic3RhdHVzIjoicGFydGlhbCIsInRpZXIiOiJtZWRpdW0iLCJ0cnVzdCI6NjIuOH0sInNvdXJjZSI6ImVtYmVkZGVkIiwic3ViIjoiYjZmMGExZGUtNTJjNy00ZTBhLTljMmItN2Q0MWYwZTM1YTg4Iiwic3ViamVjdCI6eyJjYW5vbmljYWxfaWQiOiJiNmYwYTFkZS01MmM3LTRlMGEtOWMyYi03ZDQxZjBlMzVhODgiLCJuYW1lIjoiYWdlbnQtc3ByaXRlLWZvcmdlIiwicmVwb3NpdG9yeSI6IjB4MGZ1bmt5L2FnZW50LXNwcml0ZS1mb3JnZSIsInR5cGUiOiJza2lsbCJ9fQ.wA4BkLm7vEg5x739xdUY0aWV5eiu8Xvg96FkiX_mwVZzYkgfojlxXkJrD91fMz384LViX5c-VjbhSZx35H2JDw",
    "sha256": "64d3f96e8f0a1cda43f5a1e38028e4a6af4ddc3fb57616fb794e82dfc912437e",
    "key_id": "nfcBX-viuwJ9jidIlmFOlE9Z-um9iGSvBtTKqyiP8Vw",
    "score_version": "2026-11-20T09:14:03.482915Z",
    "expires_at": "2026-11-27T09:14:03.000Z"
  }
} as const;

const answer40 = {
  "status": 404,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "not_found",
    "message": "Changelog Agent has no score that could be signed.",
    "status": 404
  }
} as const;

const answer41 = {
  "status": 404,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "not_found",
    "message": "This directory does not sign its scores.",
    "status": 404
  }
} as const;

const answer42 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "ETag": "W/\"5f-9b1d3c7e2a\"",
    "Cache-Control": "public, no-cache"
  },
  "body": {
    "keys": [
      {
        "kty": "OKP",
        "crv": "Ed25519",
        "x": "qwFO0VW9SifVHI8_kB1nnRqLnTatJZjNS_bY9KOYNV8",
        "kid": "nfcBX-viuwJ9jidIlmFOlE9Z-um9iGSvBtTKqyiP8Vw",
        "alg": "EdDSA",
        "use": "sig"
      }
    ]
  }
} as const;

const answer43 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "ETag": "W/\"5f-9b1d3c7e2a\"",
    "Cache-Control": "public, no-cache"
  },
  "body": {
    "keys": []
  }
} as const;

const answer44 = {
  "status": 400,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "invalid_request",
    "message": "kid is unknown.",
    "status": 400
  }
} as const;

const answer45 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "data": [
      {
        "subject": "npm:mcp-remote@0.1.15",
        "status": "not_found",
        "record": null,
        "package": {
          "package": "npm:mcp-remote",
          "version": "0.1.15",
          "standing": "affected",
          "advisories": [
            {
              "id": "CVE-2025-6514",
              "aliases": [
                "GHSA-6xpm-ggf7-wc3p"
              ],
              "summary": "mcp-remote is exposed to OS command injection when connecting to untrusted MCP servers",
              "category": "vulnerability",
              "severity": "critical",
              "cvss": "CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:H/I:H/A:H",
              "disputed": false,
              "withdrawn": false,
              "affected": [
                ">=0.0.5 <0.1.16"
              ],
              "source": "CVE",
              "url": "https://nvd.nist.gov/vuln/detail/CVE-2025-6514",
              "modified": "2026-06-17T10:02:03.283000Z"
            }
          ],
          "listing": null,
          "as_of": "2026-11-20T09:14:03.482915Z",
          "registry_reading": null
        },
        "message": "No subject matches."
      },
      {
        "subject": "npm:@google/gemini-cli",
        "status": "found",
        "record": {
          "canonical_id": "b6f0a1de-52c7-4e0a-9c2b-7d41f0e35a88",
          "type": "agent",
          "agent_id": "AGT-7K2MQ9XD",
          "name": "gemini-cli",
          "repository": "google-gemini/gemini-cli",
          "public_path": "/a/google-gemini/gemini-cli",
          "trustScore": 60.8,
          "confidence": 44.1,
          "tier": "medium",
          "score_version": "2026-11-20T09:14:03.482915Z",
          "verified": false,
          "verdict": {
            "state": "well_evidenced",
            "sentence": "Widely used and maintained (last commit 14 Nov 2026); owner not verified.",
            "reasons": [
              {
                "code": "widely_used",
                "text": "widely used"
              },
              {
                "code": "maintained",
                "text": "maintained (last commit 14 Nov 2026)"
              },
              {
                "code": "owner_not_verified",
                "text": "owner not verified"
              }
            ]
          }
        },
        "package": {
          "package": "npm:@google/gemini-cli",
          "version": null,
          "standing": "not_affected",
          "advisories": [],
          "listing": {
            "canonical_id": "b6f0a1de-52c7-4e0a-9c2b-7d41f0e35a88",
            "type": "agent",
            "agent_id": "AGT-7K2MQ9XD",
            "name": "gemini-cli",
            "repository": "google-gemini/gemini-cli",
            "public_path": "/a/google-gemini/gemini-cli"
          },
          "as_of": "2026-11-20T09:14:03.482915Z",
          "registry_reading": {
            "outcome": "read",
            "version": "0.9.0",
            "released_at": "2026-10-20T09:00:00.000000Z",
            "provenance": "attested",
            "deprecated": false,
            "read_at": "2026-11-19T06:00:00.000000Z"
          }
        }
      }
    ]
  }
} as const;

const answer46 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "data": [
      {
        "subject": "google-gemini/gemini-cli",
        "status": "found",
        "record": {
          "canonical_id": "b6f0a1de-52c7-4e0a-9c2b-7d41f0e35a88",
          "type": "agent",
          "agent_id": "AGT-7K2MQ9XD",
          "name": "gemini-cli",
          "repository": "google-gemini/gemini-cli",
          "public_path": "/a/google-gemini/gemini-cli",
          "trustScore": 60.8,
          "confidence": 44.1,
          "tier": "medium",
          "score_version": "2026-11-20T09:14:03.482915Z",
          "verified": false,
          "verdict": {
            "state": "well_evidenced",
            "sentence": "Widely used and maintained (last commit 14 Nov 2026); owner not verified.",
            "reasons": [
              {
                "code": "widely_used",
                "text": "widely used"
              },
              {
                "code": "maintained",
                "text": "maintained (last commit 14 Nov 2026)"
              },
              {
                "code": "owner_not_verified",
                "text": "owner not verified"
              }
            ]
          }
        },
        "package": null
      },
      {
        "subject": "example-labs",
        "status": "ambiguous",
        "record": null,
        "package": null,
        "candidates": [
          {
            "canonical_id": "0f8e7d6c-5b4a-4938-a271-605f4e3d2c1b",
            "type": "creator",
            "name": "Example Labs",
            "repository": null,
            "public_path": "/c/example-labs"
          },
          {
            "canonical_id": "3d5f3a5e-7c1b-4b0a-8e55-1f2a9c6d7e80",
            "type": "social_account",
            "name": "Example Labs",
            "repository": null,
            "public_path": "/u/x/example_labs"
          }
        ],
        "message": "Several subjects have this name. Send the canonical_id of one of the candidates as subject."
      },
      {
        "subject": "example-labs/nothing-of-that-name",
        "status": "not_found",
        "record": null,
        "package": null,
        "message": "No subject matches."
      },
      {
        "subject": "example-labs/withdrawn-agent",
        "status": "removed",
        "record": null,
        "package": null,
        "removed": {
          "repository": "github.com/example-labs/withdrawn-agent",
          "removed_on": "2026-11-22",
          "reason": "The owner asked for it."
        },
        "message": "github.com/example-labs/withdrawn-agent was removed by the operator of this directory on 2026-11-22: The owner asked for it."
      },
      {
        "subject": "",
        "status": "invalid",
        "record": null,
        "package": null,
        "message": "A subject has 1 to 512 characters, and no control characters."
      }
    ]
  }
} as const;

const answer47 = {
  "status": 400,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "invalid_request",
    "message": "subjects is required.",
    "status": 400
  }
} as const;

const answer48 = {
  "status": 400,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "invalid_request",
    "message": "subjects must have at most 100 entries.",
    "status": 400
  }
} as const;

const answer49 = {
  "status": 400,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "invalid_request",
    "message": "subjects.0.type must be one of: agent, skill, creator, social_account, messaging_account.",
    "status": 400
  }
} as const;

const answer50 = {
  "status": 413,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "payload_too_large",
    "message": "The body is larger than 128 KiB.",
    "status": 413
  }
} as const;

const answer51 = {
  "status": 415,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "unsupported_media_type",
    "message": "Send the body as JSON with Content-Type: application/json.",
    "status": 415
  }
} as const;

const answer52 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "ETag": "W/\"5f-9b1d3c7e2a\"",
    "Cache-Control": "public, no-cache"
  },
  "body": {
    "subject": {
      "canonical_id": "b6f0a1de-52c7-4e0a-9c2b-7d41f0e35a88",
      "agent_id": "AGT-7K2MQ9XD",
      "type": "agent",
      "name": "gemini-cli",
      "repository": "google-gemini/gemini-cli",
      "public_path": "/a/google-gemini/gemini-cli"
    },
    "container": null,
    "superseded_by": null,
    "score_version": "2026-11-20T09:14:03.482915Z",
    "current": true,
    "source": "embedded",
    "method_version": "rs-2.0.0",
    "extent": "full",
    "note": null,
    "trust": {
      "score": 73.8,
      "tier": "high",
      "lower_bound": 55.4,
      "before_caps": 73.8,
      "prior": 12.1777,
      "unexplained": -0.0063
    },
    "confidence": {
      "score": 43.1,
      "evidence": 9.3705,
      "prior_strength": 5,
      "coverage": 0.4375
    },
    "caps": [],
    "contributions": [
      {
        "signal": "freshness",
        "label": "Last commit",
        "value": 0.9988,
        "observed": "22 Aug 2026",
        "weight": 11,
        "points": 16.1943,
        "confidence_points": 10.7169,
        "evidence": 2.33,
        "status": "observed",
        "source": "EvanLi/Github-Ranking",
        "address": "https://github.com/EvanLi/Github-Ranking",
        "observed_at": "2026-08-22T00:00:00.000000Z",
        "reason": null
      },
      {
        "signal": "vulnerabilities",
        "label": "Open vulnerabilities of the package",
        "value": null,
        "observed": null,
        "weight": 10,
        "points": 0,
        "confidence_points": 0,
        "evidence": 0,
        "status": "missing",
        "source": null,
        "address": null,
        "observed_at": null,
        "reason": "no package and repository that name each other are known"
      },
      {
        "signal": "stars",
        "label": "Stars",
        "value": 1,
        "observed": "106,608",
        "weight": 10,
        "points": 14.7399,
        "confidence_points": 9.7427,
        "evidence": 2.1182,
        "status": "observed",
        "source": "EvanLi/Github-Ranking",
        "address": "https://github.com/EvanLi/Github-Ranking",
        "observed_at": "2026-08-22T00:00:00.000000Z",
        "reason": null
      },
      {
        "signal": "creator_accounts",
        "label": "Known accounts of the creator",
        "value": null,
        "observed": null,
        "weight": 7,
        "points": 0,
        "confidence_points": 0,
        "evidence": 0,
        "status": "missing",
        "source": null,
        "address": null,
        "observed_at": null,
        "reason": "no account of the creator is proved here or named by the MCP registry"
      },
      {
        "signal": "repository_age",
        "label": "Age of the repository",
        "value": 0.6687,
        "observed": "since 17 Apr 2025",
        "weight": 4,
        "points": 4.6586,
        "confidence_points": 4.6051,
        "evidence": 1.0012,
        "status": "observed",
        "source": "registry",
        "address": "https://trust.example/api/agents/AGT-7K2MQ9XD",
        "observed_at": null,
        "reason": null
      },
      {
        "signal": "forks",
        "label": "Forks",
        "value": 1,
        "observed": "14,458",
        "weight": 4,
        "points": 5.896,
        "confidence_points": 3.8972,
        "evidence": 0.8473,
        "status": "observed",
        "source": "EvanLi/Github-Ranking",
        "address": "https://github.com/EvanLi/Github-Ranking",
        "observed_at": "2026-08-22T00:00:00.000000Z",
        "reason": null
      },
      {
        "signal": "lists",
        "label": "Independent lists",
        "value": 1,
        "observed": "9",
        "weight": 4,
        "points": 5.657,
        "confidence_points": 3.739,
        "evidence": 0.8129,
        "status": "observed",
        "source": "registry",
        "address": "https://trust.example/api/agents/AGT-7K2MQ9XD",
        "observed_at": "2026-08-23T10:00:00.000000Z",
        "reason": null
      },
      {
        "signal": "license",
        "label": "Licence",
        "value": 1,
        "observed": "Apache-2.0",
        "weight": 4,
        "points": 8.3462,
        "confidence_points": 5.5167,
        "evidence": 1.1994,
        "status": "observed",
        "source": "github.com",
        "address": "https://github.com/google-gemini/gemini-cli",
        "observed_at": "2026-11-20T06:00:00.000000Z",
        "reason": null
      },
      {
        "signal": "lineage",
        "label": "Lineage",
        "value": null,
        "observed": null,
        "weight": 4,
        "points": 0,
        "confidence_points": 0,
        "evidence": 0,
        "status": "not_applicable",
        "source": null,
        "address": null,
        "observed_at": null,
        "reason": "no parent is known"
      },
      {
        "signal": "issue_load",
        "label": "Open issues",
        "value": 0.885,
        "observed": "546",
        "weight": 3,
        "points": 3.9135,
        "confidence_points": 2.923,
        "evidence": 0.6355,
        "status": "observed",
        "source": "EvanLi/Github-Ranking",
        "address": "https://github.com/EvanLi/Github-Ranking",
        "observed_at": "2026-08-22T00:00:00.000000Z",
        "reason": null
      },
      {
        "signal": "metadata",
        "label": "Description, tags, category, site",
        "value": 0.75,
        "observed": "3 of 4 known",
        "weight": 2,
        "points": 2.2231,
        "confidence_points": 1.9594,
        "evidence": 0.426,
        "status": "observed",
        "source": "registry",
        "address": "https://trust.example/api/agents/AGT-7K2MQ9XD",
        "observed_at": "2026-08-23T10:00:00.000000Z",
        "reason": null
      }
    ],
    "improvements": [
      {
        "action": "claim",
        "text": "Claim it: prove the account that owns the repository.",
        "points": 4.1
      },
      {
        "action": "prove_network",
        "text": "Prove an account on a professional network.",
        "points": 0.8
      }
    ],
    "most_wanted_fact": {
      "signal": "verified_listing",
      "label": "Proof of the owner",
      "confidence_points": 5.8
    }
  }
} as const;

const answer53 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "ETag": "W/\"5f-9b1d3c7e2a\"",
    "Cache-Control": "public, no-cache"
  },
  "body": {
    "subject": {
      "canonical_id": "b6f0a1de-52c7-4e0a-9c2b-7d41f0e35a88",
      "agent_id": "AGT-5N6TYV2H",
      "type": "agent",
      "name": "Changelog Agent",
      "repository": "example-labs/changelog-agent",
      "public_path": "/a/example-labs/changelog-agent"
    },
    "container": null,
    "superseded_by": null,
    "score_version": "2026-11-20T09:14:03.482915Z",
    "current": true,
    "source": "embedded",
    "method_version": "rs-2.0.0",
    "extent": "full",
    "note": null,
    "trust": {
      "score": 40,
      "tier": "low",
      "lower_bound": 22.1,
      "before_caps": 73.3,
      "prior": 9.0641,
      "unexplained": -0.0304
    },
    "confidence": {
      "score": 56.1,
      "evidence": 14.307,
      "prior_strength": 5,
      "coverage": 0.5729
    },
    "caps": [
      {
        "name": "archived",
        "label": "the repository is archived",
        "limit": 40,
        "raw": 73.3,
        "final": 40
      }
    ],
    "contributions": [
      {
        "signal": "freshness",
        "label": "Last commit",
        "value": 0.9936,
        "observed": "18 Nov 2026",
        "weight": 11,
        "points": 16.974,
        "confidence_points": 12.933,
        "evidence": 3.2983,
        "status": "observed",
        "source": "github.com",
        "address": "https://github.com/example-labs/changelog-agent",
        "observed_at": "2026-11-20T06:00:00.000000Z",
        "reason": null
      },
      {
        "signal": "vulnerabilities",
        "label": "Open vulnerabilities of the package",
        "value": null,
        "observed": null,
        "weight": 10,
        "points": 0,
        "confidence_points": 0,
        "evidence": 0,
        "status": "missing",
        "source": null,
        "address": null,
        "observed_at": null,
        "reason": "no package and repository that name each other are known"
      },
      {
        "signal": "stars",
        "label": "Stars",
        "value": 0.654,
        "observed": "412",
        "weight": 10,
        "points": 10.1568,
        "confidence_points": 11.7573,
        "evidence": 2.9984,
        "status": "observed",
        "source": "github.com",
        "address": "https://github.com/example-labs/changelog-agent",
        "observed_at": "2026-11-20T06:00:00.000000Z",
        "reason": null
      },
      {
        "signal": "creator_accounts",
        "label": "Known accounts of the creator",
        "value": 1,
        "observed": "Repository host, npm",
        "weight": 7,
        "points": 6.5227,
        "confidence_points": 4.9381,
        "evidence": 1.2593,
        "status": "observed",
        "source": "linked_accounts",
        "address": "https://trust.example/c/github.com:example-labs#accounts",
        "observed_at": "2026-11-20T06:00:00.000000Z",
        "reason": null
      },
      {
        "signal": "verified_listing",
        "label": "Proof of the owner",
        "value": 1,
        "observed": "verified",
        "weight": 6,
        "points": 9.3182,
        "confidence_points": 7.0544,
        "evidence": 1.7991,
        "status": "observed",
        "source": "registry",
        "address": "https://trust.example/c/github.com:example-labs#accounts",
        "observed_at": "2026-11-20T06:00:00.000000Z",
        "reason": null
      },
      {
        "signal": "creator_age",
        "label": "Age of the creator's account",
        "value": null,
        "observed": null,
        "weight": 5,
        "points": 0,
        "confidence_points": 0,
        "evidence": 0,
        "status": "missing",
        "source": null,
        "address": null,
        "observed_at": null,
        "reason": "the age of the creator's account is not known"
      },
      {
        "signal": "repository_age",
        "label": "Age of the repository",
        "value": 0.9622,
        "observed": "since 1 Mar 2022",
        "weight": 4,
        "points": 5.8673,
        "confidence_points": 4.6163,
        "evidence": 1.1773,
        "status": "observed",
        "source": "registry",
        "address": "https://trust.example/api/agents/AGT-5N6TYV2H",
        "observed_at": null,
        "reason": null
      },
      {
        "signal": "forks",
        "label": "Forks",
        "value": 0.482,
        "observed": "38",
        "weight": 4,
        "points": 2.2187,
        "confidence_points": 3.4849,
        "evidence": 0.8887,
        "status": "observed",
        "source": "github.com",
        "address": "https://github.com/example-labs/changelog-agent",
        "observed_at": "2026-11-20T06:00:00.000000Z",
        "reason": null
      },
      {
        "signal": "lists",
        "label": "Independent lists",
        "value": 1,
        "observed": "2",
        "weight": 4,
        "points": 1.8698,
        "confidence_points": 1.4155,
        "evidence": 0.361,
        "status": "observed",
        "source": "registry",
        "address": "https://trust.example/api/agents/AGT-5N6TYV2H",
        "observed_at": "2026-11-20T06:00:00.000000Z",
        "reason": null
      },
      {
        "signal": "license",
        "label": "Licence",
        "value": 1,
        "observed": "MIT",
        "weight": 4,
        "points": 6.2121,
        "confidence_points": 4.7029,
        "evidence": 1.1994,
        "status": "observed",
        "source": "github.com",
        "address": "https://github.com/example-labs/changelog-agent",
        "observed_at": "2026-11-20T06:00:00.000000Z",
        "reason": null
      },
      {
        "signal": "lineage",
        "label": "Lineage",
        "value": null,
        "observed": null,
        "weight": 4,
        "points": 0,
        "confidence_points": 0,
        "evidence": 0,
        "status": "not_applicable",
        "source": null,
        "address": null,
        "observed_at": null,
        "reason": "no parent is known"
      },
      {
        "signal": "issue_load",
        "label": "Open issues",
        "value": 0.7452,
        "observed": "12",
        "weight": 3,
        "points": 3.472,
        "confidence_points": 3.5272,
        "evidence": 0.8995,
        "status": "observed",
        "source": "github.com",
        "address": "https://github.com/example-labs/changelog-agent",
        "observed_at": "2026-11-20T06:00:00.000000Z",
        "reason": null
      },
      {
        "signal": "metadata",
        "label": "Description, tags, category, site",
        "value": 0.75,
        "observed": "3 of 4 known",
        "weight": 2,
        "points": 1.6547,
        "confidence_points": 1.6702,
        "evidence": 0.426,
        "status": "observed",
        "source": "registry",
        "address": "https://trust.example/api/agents/AGT-5N6TYV2H",
        "observed_at": "2026-08-23T10:00:00.000000Z",
        "reason": null
      }
    ],
    "improvements": [
      {
        "action": "unarchive",
        "text": "Unarchive it if you maintain it again.",
        "points": 33.3
      }
    ],
    "most_wanted_fact": {
      "signal": "creator_age",
      "label": "Age of the creator's account",
      "confidence_points": 4
    }
  }
} as const;

const answer54 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "ETag": "W/\"5f-9b1d3c7e2a\"",
    "Cache-Control": "public, no-cache"
  },
  "body": {
    "subject": {
      "canonical_id": "3d5f3a5e-7c1b-4b0a-8e55-1f2a9c6d7e80",
      "agent_id": null,
      "type": "social_account",
      "name": "Example Labs",
      "repository": null,
      "public_path": "/u/x/example_labs"
    },
    "container": null,
    "superseded_by": null,
    "score_version": "2026-11-20T09:14:03.482915Z",
    "current": true,
    "source": "scores.example",
    "method_version": "house-3",
    "extent": "partial",
    "note": "scores.example made this score by its method house-3. It named 3 signals, but 17.1 points of trust are not explained.",
    "trust": {
      "score": 69.6,
      "tier": "high",
      "lower_bound": 52.4,
      "before_caps": 69.6,
      "prior": null,
      "unexplained": 17.1
    },
    "confidence": {
      "score": 66.1,
      "evidence": null,
      "prior_strength": null,
      "coverage": null
    },
    "caps": [],
    "contributions": [
      {
        "signal": "conduct",
        "label": "conduct",
        "value": 0.9,
        "observed": null,
        "weight": 40,
        "points": 31.5,
        "confidence_points": null,
        "evidence": 1,
        "status": "observed",
        "source": "x.com",
        "address": null,
        "observed_at": "2026-11-20T08:00:00Z",
        "reason": null
      },
      {
        "signal": "reach",
        "label": "reach",
        "value": 0.7,
        "observed": null,
        "weight": 30,
        "points": 21,
        "confidence_points": null,
        "evidence": 1,
        "status": "observed",
        "source": "x.com",
        "address": null,
        "observed_at": "2026-11-20T08:00:00Z",
        "reason": null
      },
      {
        "signal": "audits",
        "label": "audits",
        "value": null,
        "observed": null,
        "weight": 30,
        "points": 0,
        "confidence_points": null,
        "evidence": 0,
        "status": "missing",
        "source": null,
        "address": null,
        "observed_at": null,
        "reason": "not public"
      }
    ],
    "improvements": [],
    "most_wanted_fact": {
      "signal": "audits",
      "label": "audits",
      "confidence_points": 18.7
    }
  }
} as const;

const answer55 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "ETag": "W/\"5f-9b1d3c7e2a\"",
    "Cache-Control": "public, no-cache"
  },
  "body": {
    "subject": {
      "canonical_id": "0f8e7d6c-5b4a-4938-a271-605f4e3d2c1b",
      "agent_id": null,
      "type": "creator",
      "name": "Example Labs",
      "repository": null,
      "public_path": "/c/example-labs"
    },
    "container": null,
    "superseded_by": null,
    "score_version": null,
    "current": false,
    "source": null,
    "method_version": null,
    "extent": "none",
    "note": "This subject has no confirmed score yet.",
    "trust": null,
    "confidence": null,
    "caps": [],
    "contributions": [],
    "improvements": [],
    "most_wanted_fact": null
  }
} as const;

const answer56 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "ETag": "W/\"5f-9b1d3c7e2a\"",
    "Cache-Control": "public, no-cache"
  },
  "body": {
    "subject": {
      "canonical_id": "5c0e7a91-3b64-4d0f-9d3c-8a2f6b1e4c70",
      "agent_id": "AGT-8S1K3LLZ",
      "type": "skill",
      "name": "agent-skills",
      "repository": "vercel-labs/agent-skills",
      "public_path": "/a/vercel-labs/agent-skills"
    },
    "container": {
      "parts": 13,
      "because": "name"
    },
    "superseded_by": null,
    "score_version": null,
    "current": false,
    "source": null,
    "method_version": null,
    "extent": "none",
    "note": "This subject has no confirmed score yet.",
    "trust": null,
    "confidence": null,
    "caps": [],
    "contributions": [],
    "improvements": [],
    "most_wanted_fact": null
  }
} as const;

const answer57 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "ETag": "W/\"5f-9b1d3c7e2a\"",
    "Cache-Control": "public, no-cache"
  },
  "body": {
    "subject": {
      "canonical_id": "9b1f3d52-7c88-4e16-a0c5-2d4e6f708192",
      "agent_id": "AGT-4H8VN2QC",
      "type": "agent",
      "name": "claude_agent_teams_ui",
      "repository": "777genius/claude_agent_teams_ui",
      "public_path": "/a/777genius/claude_agent_teams_ui"
    },
    "container": null,
    "superseded_by": {
      "as": "new_name",
      "stated": false,
      "subject": {
        "canonical_id": "2e7d4c60-915a-4b3f-8f21-6c0d9e8b7a53",
        "agent_id": "AGT-6P3WZ9KD",
        "type": "skill",
        "name": "agent-teams-ai",
        "repository": "777genius/agent-teams-ai",
        "public_path": "/s/777genius/agent-teams-ai"
      }
    },
    "score_version": null,
    "current": false,
    "source": null,
    "method_version": null,
    "extent": "none",
    "note": "This subject has no confirmed score yet.",
    "trust": null,
    "confidence": null,
    "caps": [],
    "contributions": [],
    "improvements": [],
    "most_wanted_fact": null
  }
} as const;

const answer58 = {
  "status": 400,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "invalid_request",
    "message": "score_version must be a time in UTC, such as 2026-11-20T09:14:03.482915Z.",
    "status": 400
  }
} as const;

const answer59 = {
  "status": 404,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "not_found",
    "message": "This subject had no score at 2020-01-01T00:00:00Z. The history lists the times of its scores.",
    "status": 404
  }
} as const;

const answer60 = {
  "status": 404,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "not_found",
    "message": "This subject has no confirmed score yet.",
    "status": 404
  }
} as const;

const answer61 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "ETag": "W/\"5f-9b1d3c7e2a\"",
    "Cache-Control": "public, no-cache"
  },
  "body": {
    "data": [
      {
        "score_version": "2026-11-20T09:14:03.482915Z",
        "trustScore": 73.8,
        "confidence": 43.1,
        "tier": "high",
        "lower_bound": 55.4,
        "method_version": "rs-2.0.0",
        "source": "embedded"
      },
      {
        "score_version": "2026-11-13T09:02:51.118204Z",
        "trustScore": 74.1,
        "confidence": 43.4,
        "tier": "high",
        "lower_bound": 55.8,
        "method_version": "rs-2.0.0",
        "source": "embedded"
      }
    ],
    "nextCursor": "WyJiNmYwYTFkZS01MmM3LTRlMGEtOWMyYi03ZDQxZjBlMzVhODgiLCIyMDI2LTExLTEzVDA5OjAyOjUxLjExODIwNFoiXQ"
  }
} as const;

const answer62 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "ETag": "W/\"5f-9b1d3c7e2a\"",
    "Cache-Control": "public, no-cache"
  },
  "body": {
    "data": [
      {
        "score_version": "2026-10-24T06:12:44.019273Z",
        "trustScore": 62.6,
        "confidence": 49.2,
        "tier": "medium",
        "lower_bound": 41.1,
        "method_version": "rs-1.0.0",
        "source": "embedded"
      }
    ],
    "nextCursor": null
  }
} as const;

const answer63 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "ETag": "W/\"5f-9b1d3c7e2a\"",
    "Cache-Control": "public, no-cache"
  },
  "body": {
    "data": [],
    "nextCursor": null
  }
} as const;

const answer64 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "ETag": "W/\"5f-9b1d3c7e2a\"",
    "Cache-Control": "public, no-cache"
  },
  "body": {
    "subject": {
      "canonical_id": "b6f0a1de-52c7-4e0a-9c2b-7d41f0e35a88",
      "agent_id": "AGT-7K2MQ9XD",
      "type": "agent",
      "name": "gemini-cli",
      "repository": "google-gemini/gemini-cli",
      "public_path": "/a/google-gemini/gemini-cli"
    },
    "from": {
      "score_version": "2026-10-24T06:12:44.019273Z",
      "trustScore": 62.6,
      "confidence": 49.2,
      "tier": "medium",
      "lower_bound": 41.1,
      "method_version": "rs-1.0.0",
      "source": "embedded"
    },
    "to": {
      "score_version": "2026-11-20T09:14:03.482915Z",
      "trustScore": 73.8,
      "confidence": 43.1,
      "tier": "high",
      "lower_bound": 55.4,
      "method_version": "rs-2.0.0",
      "source": "embedded"
    },
    "summary": "Trust rose by 11.2 to 73.8 since 24 Oct 2026: +2.4 because facts changed, +10.2 because of the new method rs-2.0.0, −1.4 because time passed. Confidence fell by 6.1 to 43.1.",
    "note": null,
    "trust": {
      "before": 62.6,
      "after": 73.8,
      "change": 11.2,
      "causes": {
        "facts": 2.4,
        "method": 10.2,
        "time": -1.4
      }
    },
    "confidence": {
      "before": 49.2,
      "after": 43.1,
      "change": -6.1,
      "causes": {
        "facts": 4.1,
        "method": -8.8,
        "time": -1.4
      }
    },
    "signals": [
      {
        "signal": "license",
        "label": "Licence",
        "points": {
          "before": 0,
          "after": 8.3462,
          "change": 8.3462,
          "causes": {
            "facts": 8.3462,
            "method": 0,
            "time": 0
          }
        },
        "before": {
          "signal": "license",
          "label": "Licence",
          "value": null,
          "observed": null,
          "weight": 6,
          "points": 0,
          "confidence_points": 0,
          "evidence": 0,
          "status": "missing",
          "source": null,
          "address": null,
          "observed_at": null,
          "reason": "the licence is not known"
        },
        "after": {
          "signal": "license",
          "label": "Licence",
          "value": 1,
          "observed": "Apache-2.0",
          "weight": 4,
          "points": 8.3462,
          "confidence_points": 5.5167,
          "evidence": 1.1994,
          "status": "observed",
          "source": "github.com",
          "address": "https://github.com/google-gemini/gemini-cli",
          "observed_at": "2026-11-20T06:00:00.000000Z",
          "reason": null
        }
      },
      {
        "signal": "lists",
        "label": "Independent lists",
        "points": {
          "before": 0,
          "after": 5.657,
          "change": 5.657,
          "causes": {
            "facts": -0.5151,
            "method": 6.4691,
            "time": -0.297
          }
        },
        "before": null,
        "after": {
          "signal": "lists",
          "label": "Independent lists",
          "value": 1,
          "observed": "9",
          "weight": 4,
          "points": 5.657,
          "confidence_points": 3.739,
          "evidence": 0.8129,
          "status": "observed",
          "source": "registry",
          "address": "https://trust.example/api/agents/AGT-7K2MQ9XD",
          "observed_at": "2026-08-23T10:00:00.000000Z",
          "reason": null
        }
      },
      {
        "signal": "repository_age",
        "label": "Age of the repository",
        "points": {
          "before": 0,
          "after": 4.6586,
          "change": 4.6586,
          "causes": {
            "facts": -0.4243,
            "method": 4.6243,
            "time": 0.4586
          }
        },
        "before": null,
        "after": {
          "signal": "repository_age",
          "label": "Age of the repository",
          "value": 0.6687,
          "observed": "since 17 Apr 2025",
          "weight": 4,
          "points": 4.6586,
          "confidence_points": 4.6051,
          "evidence": 1.0012,
          "status": "observed",
          "source": "registry",
          "address": "https://trust.example/api/agents/AGT-7K2MQ9XD",
          "observed_at": null,
          "reason": null
        }
      },
      {
        "signal": "forks",
        "label": "Forks",
        "points": {
          "before": 9.7032,
          "after": 5.896,
          "change": -3.8072,
          "causes": {
            "facts": -0.5369,
            "method": -2.9608,
            "time": -0.3095
          }
        },
        "before": {
          "signal": "forks",
          "label": "Forks",
          "value": 1,
          "observed": "14,458",
          "weight": 8,
          "points": 9.7032,
          "confidence_points": 6.8845,
          "evidence": 1.7636,
          "status": "observed",
          "source": "EvanLi/Github-Ranking",
          "address": "https://github.com/EvanLi/Github-Ranking",
          "observed_at": "2026-08-22T00:00:00.000000Z",
          "reason": null
        },
        "after": {
          "signal": "forks",
          "label": "Forks",
          "value": 1,
          "observed": "14,458",
          "weight": 4,
          "points": 5.896,
          "confidence_points": 3.8972,
          "evidence": 0.8473,
          "status": "observed",
          "source": "EvanLi/Github-Ranking",
          "address": "https://github.com/EvanLi/Github-Ranking",
          "observed_at": "2026-08-22T00:00:00.000000Z",
          "reason": null
        }
      },
      {
        "signal": "freshness",
        "label": "Last commit",
        "points": {
          "before": 19.0171,
          "after": 16.1943,
          "change": -2.8228,
          "causes": {
            "facts": -1.4747,
            "method": -0.506,
            "time": -0.8421
          }
        },
        "before": {
          "signal": "freshness",
          "label": "Last commit",
          "value": 0.7839,
          "observed": "22 Aug 2026",
          "weight": 20,
          "points": 19.0171,
          "confidence_points": 13.769,
          "evidence": 3.5272,
          "status": "observed",
          "source": "EvanLi/Github-Ranking",
          "address": "https://github.com/EvanLi/Github-Ranking",
          "observed_at": "2026-08-22T00:00:00.000000Z",
          "reason": null
        },
        "after": {
          "signal": "freshness",
          "label": "Last commit",
          "value": 0.9988,
          "observed": "22 Aug 2026",
          "weight": 11,
          "points": 16.1943,
          "confidence_points": 10.7169,
          "evidence": 2.33,
          "status": "observed",
          "source": "EvanLi/Github-Ranking",
          "address": "https://github.com/EvanLi/Github-Ranking",
          "observed_at": "2026-08-22T00:00:00.000000Z",
          "reason": null
        }
      },
      {
        "signal": "stars",
        "label": "Stars",
        "points": {
          "before": 14.5549,
          "after": 14.7399,
          "change": 0.185,
          "causes": {
            "facts": -1.3423,
            "method": 2.3012,
            "time": -0.7739
          }
        },
        "before": {
          "signal": "stars",
          "label": "Stars",
          "value": 1,
          "observed": "106,608",
          "weight": 12,
          "points": 14.5549,
          "confidence_points": 13.769,
          "evidence": 3.5272,
          "status": "observed",
          "source": "EvanLi/Github-Ranking",
          "address": "https://github.com/EvanLi/Github-Ranking",
          "observed_at": "2026-08-22T00:00:00.000000Z",
          "reason": null
        },
        "after": {
          "signal": "stars",
          "label": "Stars",
          "value": 1,
          "observed": "106,608",
          "weight": 10,
          "points": 14.7399,
          "confidence_points": 9.7427,
          "evidence": 2.1182,
          "status": "observed",
          "source": "EvanLi/Github-Ranking",
          "address": "https://github.com/EvanLi/Github-Ranking",
          "observed_at": "2026-08-22T00:00:00.000000Z",
          "reason": null
        }
      },
      {
        "signal": "issue_load",
        "label": "Open issues",
        "points": {
          "before": 5.7158,
          "after": 3.9135,
          "change": -1.8023,
          "causes": {
            "facts": -0.3564,
            "method": -1.2438,
            "time": -0.2021
          }
        },
        "before": {
          "signal": "issue_load",
          "label": "Open issues",
          "value": 0.9425,
          "observed": "546",
          "weight": 5,
          "points": 5.7158,
          "confidence_points": 6.8845,
          "evidence": 1.7636,
          "status": "observed",
          "source": "EvanLi/Github-Ranking",
          "address": "https://github.com/EvanLi/Github-Ranking",
          "observed_at": "2026-08-22T00:00:00.000000Z",
          "reason": null
        },
        "after": {
          "signal": "issue_load",
          "label": "Open issues",
          "value": 0.885,
          "observed": "546",
          "weight": 3,
          "points": 3.9135,
          "confidence_points": 2.923,
          "evidence": 0.6355,
          "status": "observed",
          "source": "EvanLi/Github-Ranking",
          "address": "https://github.com/EvanLi/Github-Ranking",
          "observed_at": "2026-08-22T00:00:00.000000Z",
          "reason": null
        }
      },
      {
        "signal": "metadata",
        "label": "Description, tags, category, site",
        "points": {
          "before": 3.6387,
          "after": 2.2231,
          "change": -1.4156,
          "causes": {
            "facts": -0.2024,
            "method": -1.0965,
            "time": -0.1167
          }
        },
        "before": {
          "signal": "metadata",
          "label": "Description, tags, category, site",
          "value": 0.75,
          "observed": "3 of 4 known",
          "weight": 4,
          "points": 3.6387,
          "confidence_points": 3.9465,
          "evidence": 1,
          "status": "observed",
          "source": "registry",
          "address": "https://trust.example/api/agents/AGT-7K2MQ9XD",
          "observed_at": "2026-08-23T10:00:00.000000Z",
          "reason": null
        },
        "after": {
          "signal": "metadata",
          "label": "Description, tags, category, site",
          "value": 0.75,
          "observed": "3 of 4 known",
          "weight": 2,
          "points": 2.2231,
          "confidence_points": 1.9594,
          "evidence": 0.426,
          "status": "observed",
          "source": "registry",
          "address": "https://trust.example/api/agents/AGT-7K2MQ9XD",
          "observed_at": "2026-08-23T10:00:00.000000Z",
          "reason": null
        }
      }
    ],
    "prior": {
      "before": 9.9703,
      "after": 12.1714,
      "change": 2.2011,
      "causes": {
        "facts": -1.0941,
        "method": 2.6125,
        "time": 0.6827
      }
    },
    "caps": {
      "before": 0,
      "after": 0,
      "change": 0,
      "causes": {
        "facts": 0,
        "method": 0,
        "time": 0
      }
    },
    "caps_before": [],
    "caps_after": []
  }
} as const;

const answer65 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "ETag": "W/\"5f-9b1d3c7e2a\"",
    "Cache-Control": "public, no-cache"
  },
  "body": {
    "subject": {
      "canonical_id": "b6f0a1de-52c7-4e0a-9c2b-7d41f0e35a88",
      "agent_id": "AGT-7K2MQ9XD",
      "type": "agent",
      "name": "gemini-cli",
      "repository": "google-gemini/gemini-cli",
      "public_path": "/a/google-gemini/gemini-cli"
    },
    "from": {
      "score_version": "2026-11-13T09:02:51.118204Z",
      "trustScore": 74.1,
      "confidence": 43.4,
      "tier": "high",
      "lower_bound": 55.8,
      "method_version": "rs-2.0.0",
      "source": "embedded"
    },
    "to": {
      "score_version": "2026-11-20T09:14:03.482915Z",
      "trustScore": 74.1,
      "confidence": 43.4,
      "tier": "high",
      "lower_bound": 55.8,
      "method_version": "rs-2.0.0",
      "source": "embedded"
    },
    "summary": "Trust is 74.1, as on 13 Nov 2026. Confidence is 43.4, as then.",
    "note": null,
    "trust": {
      "before": 74.1,
      "after": 74.1,
      "change": 0,
      "causes": {
        "facts": 0,
        "method": 0,
        "time": 0
      }
    },
    "confidence": {
      "before": 43.4,
      "after": 43.4,
      "change": 0,
      "causes": {
        "facts": 0,
        "method": 0,
        "time": 0
      }
    },
    "signals": [],
    "prior": {
      "before": 12.0161,
      "after": 12.0161,
      "change": 0,
      "causes": {
        "facts": 0,
        "method": 0,
        "time": 0
      }
    },
    "caps": {
      "before": 0,
      "after": 0,
      "change": 0,
      "causes": {
        "facts": 0,
        "method": 0,
        "time": 0
      }
    },
    "caps_before": [],
    "caps_after": []
  }
} as const;

const answer66 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "ETag": "W/\"5f-9b1d3c7e2a\"",
    "Cache-Control": "public, no-cache"
  },
  "body": {
    "subject": {
      "canonical_id": "3d5f3a5e-7c1b-4b0a-8e55-1f2a9c6d7e80",
      "agent_id": null,
      "type": "social_account",
      "name": "Example Labs",
      "repository": null,
      "public_path": "/u/x/example_labs"
    },
    "from": {
      "score_version": "2026-10-24T06:12:44.019273Z",
      "trustScore": 68.2,
      "confidence": 66.1,
      "tier": "high",
      "lower_bound": 52.4,
      "method_version": "house-3",
      "source": "scores.example"
    },
    "to": {
      "score_version": "2026-11-20T09:14:03.482915Z",
      "trustScore": 69.6,
      "confidence": 66.1,
      "tier": "high",
      "lower_bound": 52.4,
      "method_version": "house-3",
      "source": "scores.example"
    },
    "summary": "Trust rose by 1.4 to 69.6 since 24 Oct 2026. Confidence is 66.1, as then. At least one of these scores was made by a method that this directory cannot repeat, so the causes cannot be told apart.",
    "note": "At least one of these scores was made by a method that this directory cannot repeat, so the causes cannot be told apart.",
    "trust": {
      "before": 68.2,
      "after": 69.6,
      "change": 1.4,
      "causes": null
    },
    "confidence": {
      "before": 66.1,
      "after": 66.1,
      "change": 0,
      "causes": null
    },
    "signals": [
      {
        "signal": "reach",
        "label": "reach",
        "points": {
          "before": 19.6,
          "after": 21,
          "change": 1.4,
          "causes": null
        },
        "before": {
          "signal": "reach",
          "label": "reach",
          "value": 0.7,
          "observed": null,
          "weight": 30,
          "points": 19.6,
          "confidence_points": null,
          "evidence": 1,
          "status": "observed",
          "source": "x.com",
          "address": null,
          "observed_at": "2026-11-20T08:00:00Z",
          "reason": null
        },
        "after": {
          "signal": "reach",
          "label": "reach",
          "value": 0.7,
          "observed": null,
          "weight": 30,
          "points": 21,
          "confidence_points": null,
          "evidence": 1,
          "status": "observed",
          "source": "x.com",
          "address": null,
          "observed_at": "2026-11-20T08:00:00Z",
          "reason": null
        }
      },
      {
        "signal": "conduct",
        "label": "conduct",
        "points": {
          "before": 31.5,
          "after": 31.5,
          "change": 0,
          "causes": null
        },
        "before": {
          "signal": "conduct",
          "label": "conduct",
          "value": 0.9,
          "observed": null,
          "weight": 40,
          "points": 31.5,
          "confidence_points": null,
          "evidence": 1,
          "status": "observed",
          "source": "x.com",
          "address": null,
          "observed_at": "2026-11-20T08:00:00Z",
          "reason": null
        },
        "after": {
          "signal": "conduct",
          "label": "conduct",
          "value": 0.9,
          "observed": null,
          "weight": 40,
          "points": 31.5,
          "confidence_points": null,
          "evidence": 1,
          "status": "observed",
          "source": "x.com",
          "address": null,
          "observed_at": "2026-11-20T08:00:00Z",
          "reason": null
        }
      },
      {
        "signal": "audits",
        "label": "audits",
        "points": {
          "before": 0,
          "after": 0,
          "change": 0,
          "causes": null
        },
        "before": {
          "signal": "audits",
          "label": "audits",
          "value": null,
          "observed": null,
          "weight": 30,
          "points": 0,
          "confidence_points": null,
          "evidence": 0,
          "status": "missing",
          "source": null,
          "address": null,
          "observed_at": null,
          "reason": "not public"
        },
        "after": {
          "signal": "audits",
          "label": "audits",
          "value": null,
          "observed": null,
          "weight": 30,
          "points": 0,
          "confidence_points": null,
          "evidence": 0,
          "status": "missing",
          "source": null,
          "address": null,
          "observed_at": null,
          "reason": "not public"
        }
      }
    ],
    "prior": null,
    "caps": {
      "before": 0,
      "after": 0,
      "change": 0,
      "causes": null
    },
    "caps_before": [],
    "caps_after": []
  }
} as const;

const answer67 = {
  "status": 400,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "invalid_request",
    "message": "from must be a time in UTC, such as 2026-11-20T09:14:03.482915Z.",
    "status": 400
  }
} as const;

const answer68 = {
  "status": 400,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "invalid_request",
    "message": "from must not be after to.",
    "status": 400
  }
} as const;

const answer69 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "ETag": "W/\"5f-9b1d3c7e2a\"",
    "Cache-Control": "public, no-cache"
  },
  "body": {
    "package": "npm:mcp-remote",
    "version": "0.1.15",
    "standing": "affected",
    "advisories": [
      {
        "id": "CVE-2025-6514",
        "aliases": [
          "GHSA-6xpm-ggf7-wc3p"
        ],
        "summary": "mcp-remote is exposed to OS command injection when connecting to untrusted MCP servers",
        "category": "vulnerability",
        "severity": "critical",
        "cvss": "CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:H/I:H/A:H",
        "disputed": false,
        "withdrawn": false,
        "affected": [
          ">=0.0.5 <0.1.16"
        ],
        "source": "CVE",
        "url": "https://nvd.nist.gov/vuln/detail/CVE-2025-6514",
        "modified": "2026-06-17T10:02:03.283000Z"
      }
    ],
    "listing": null,
    "as_of": "2026-11-20T09:14:03.482915Z",
    "registry_reading": null
  }
} as const;

const answer70 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "ETag": "W/\"5f-9b1d3c7e2a\"",
    "Cache-Control": "public, no-cache"
  },
  "body": {
    "package": "npm:@google/gemini-cli",
    "version": null,
    "standing": "not_affected",
    "advisories": [],
    "listing": {
      "canonical_id": "b6f0a1de-52c7-4e0a-9c2b-7d41f0e35a88",
      "type": "agent",
      "agent_id": "AGT-7K2MQ9XD",
      "name": "gemini-cli",
      "repository": "google-gemini/gemini-cli",
      "public_path": "/a/google-gemini/gemini-cli"
    },
    "as_of": "2026-11-20T09:14:03.482915Z",
    "registry_reading": {
      "outcome": "read",
      "version": "0.9.0",
      "released_at": "2026-10-20T09:00:00.000000Z",
      "provenance": "attested",
      "deprecated": false,
      "read_at": "2026-11-19T06:00:00.000000Z"
    }
  }
} as const;

const answer71 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "ETag": "W/\"5f-9b1d3c7e2a\"",
    "Cache-Control": "public, no-cache"
  },
  "body": {
    "package": "npm:example-unpublished",
    "version": null,
    "standing": "unknown",
    "advisories": [],
    "listing": null,
    "as_of": null,
    "registry_reading": {
      "outcome": "missing",
      "version": null,
      "released_at": null,
      "provenance": null,
      "deprecated": null,
      "read_at": "2026-11-19T06:00:00.000000Z"
    }
  }
} as const;

const answer72 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "ETag": "W/\"5f-9b1d3c7e2a\"",
    "Cache-Control": "public, no-cache"
  },
  "body": {
    "package": "pypi:example-notes",
    "version": "1.0.0",
    "standing": "unknown",
    "advisories": [],
    "listing": null,
    "as_of": null,
    "registry_reading": null
  }
} as const;

const answer73 = {
  "status": 400,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "invalid_request",
    "message": "package must be npm:name, npm:name@1.2.3, pypi:name, pypi:name==1.2.3 or a package URL such as pkg:npm/%40scope/name@1.2.3.",
    "status": 400
  }
} as const;

const answer74 = {
  "status": 400,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "invalid_request",
    "message": "package has the version \"latest\". It must be one version such as 1.2.3, not a range or a tag; leave it out to ask about all versions.",
    "status": 400
  }
} as const;

const answer75 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "ETag": "W/\"5f-9b1d3c7e2a\"",
    "Cache-Control": "public, no-cache"
  },
  "body": {
    "data": [
      {
        "kinds": [
          "score",
          "verdict"
        ],
        "at": "2026-11-20T09:14:03.482915Z",
        "canonical_id": "b6f0a1de-52c7-4e0a-9c2b-7d41f0e35a88",
        "type": "agent",
        "agent_id": "AGT-7K2MQ9XD",
        "removed": false,
        "agent": {
          "id": "AGT-7K2MQ9XD",
          "type": "agent",
          "name": "Gemini CLI",
          "description": "🆕 Google's terminal-first coding agent for large-context refactors.",
          "category": "coding",
          "tags": [
            "gemini",
            "gemini-api",
            "ai",
            "ai-agents",
            "cli",
            "mcp-client",
            "mcp-server"
          ],
          "kind": "agent",
          "license": null,
          "creator": {
            "handle": "google-gemini",
            "displayName": "google-gemini",
            "verified": false,
            "trustScore": null,
            "confidence": null
          },
          "repoHost": {
            "url": "https://github.com/google-gemini/gemini-cli",
            "stars": 106608,
            "forks": 14458,
            "openIssues": 546,
            "lastCommit": "2026-08-22T01:10:05Z"
          },
          "repositoryUrl": "https://github.com/google-gemini/gemini-cli",
          "verified": false,
          "trustScore": 60.8,
          "confidence": 48.2,
          "tier": "medium",
          "verdict": {
            "state": "well_evidenced",
            "sentence": "Very widely used and maintained; owner not verified; licence not known.",
            "reasons": [
              {
                "code": "very_widely_used",
                "text": "very widely used"
              },
              {
                "code": "maintained",
                "text": "maintained"
              },
              {
                "code": "owner_not_verified",
                "text": "owner not verified"
              },
              {
                "code": "license_unknown",
                "text": "licence not known"
              }
            ]
          },
          "listedAt": "2026-08-23T07:00:00Z",
          "updatedAt": "2026-11-20T09:14:03Z"
        },
        "subject": null,
        "advisory": null,
        "standing": null
      },
      {
        "kinds": [
          "advisory"
        ],
        "at": "2026-11-20T09:14:05.003104Z",
        "canonical_id": null,
        "type": null,
        "agent_id": null,
        "removed": false,
        "agent": null,
        "subject": null,
        "advisory": {
          "id": "CVE-2025-6514",
          "modified": "2026-06-17T10:02:03.283000Z",
          "withdrawn": false,
          "packages": [
            "npm:mcp-remote"
          ]
        },
        "standing": null
      },
      {
        "kinds": [
          "removal"
        ],
        "at": "2026-11-20T09:15:11.920377Z",
        "canonical_id": "45c48cce-2e2d-4fbd-9a7b-1f0e6c8d2b73",
        "type": "skill",
        "agent_id": "AGT-9D2KVE4Q",
        "removed": true,
        "agent": null,
        "subject": null,
        "advisory": null,
        "standing": null
      }
    ],
    "nextCursor": "WyI0ZjlhMjcxMC0wYzViLTRlMWQtOWQzNi1hMmI3YzhlNWYwMTEiLCI5MTM4OCIsIjQxMCJd",
    "cursor": "WyI0ZjlhMjcxMC0wYzViLTRlMWQtOWQzNi1hMmI3YzhlNWYwMTEiLCI5MTM4OCIsIjQxMCJd"
  }
} as const;

const answer76 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "ETag": "W/\"5f-9b1d3c7e2a\"",
    "Cache-Control": "public, no-cache"
  },
  "body": {
    "data": [
      {
        "kinds": [
          "score"
        ],
        "at": "2026-11-20T09:14:03.482915Z",
        "canonical_id": "0a3dbf38-0b55-4a52-8f7d-2f1f6a8c2e10",
        "type": "creator",
        "agent_id": null,
        "removed": false,
        "agent": null,
        "subject": {
          "canonical_id": "0a3dbf38-0b55-4a52-8f7d-2f1f6a8c2e10",
          "type": "creator",
          "agent_id": null,
          "name": "google-gemini",
          "repository": null,
          "public_path": "/c/google-gemini",
          "trustScore": 58.3,
          "confidence": 21.4,
          "tier": "low",
          "score_version": "2026-11-20T09:14:03.482915Z"
        },
        "advisory": null,
        "standing": null
      }
    ],
    "nextCursor": null,
    "cursor": "WyI0ZjlhMjcxMC0wYzViLTRlMWQtOWQzNi1hMmI3YzhlNWYwMTEiLCI5MTQwMiIsIjAiXQ"
  }
} as const;

const answer77 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "ETag": "W/\"5f-9b1d3c7e2a\"",
    "Cache-Control": "public, no-cache"
  },
  "body": {
    "data": [],
    "nextCursor": null,
    "cursor": "WyI0ZjlhMjcxMC0wYzViLTRlMWQtOWQzNi1hMmI3YzhlNWYwMTEiLCI5MTQwMiIsIjAiXQ"
  }
} as const;

const answer78 = {
  "status": 400,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "invalid_request",
    "message": "cursor does not belong to the change feed. Send the cursor or nextCursor of one of its pages.",
    "status": 400
  }
} as const;

const answer79 = {
  "status": 400,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "invalid_request",
    "message": "kinds must be one or more of listing, score, verdict, advisory, removal, standing, separated by commas.",
    "status": 400
  }
} as const;

const answer80 = {
  "status": 410,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "cursor_expired",
    "message": "Changes after this point are no longer complete: they are too old, or the database was restored. Read all pages of snapshot, then the changes after cursor.",
    "status": 410,
    "snapshot": "/api/changes?snapshot=true&limit=100",
    "cursor": "WyI0ZjlhMjcxMC0wYzViLTRlMWQtOWQzNi1hMmI3YzhlNWYwMTEiLCI5MTQwMiIsIjAiXQ"
  }
} as const;

const answer81 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "id": "AGT-5N6TYV2H",
    "listingUrl": "https://trust.example/example-labs/changelog-agent"
  }
} as const;

const answer82 = {
  "status": 201,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store",
    "Location": "/api/agents/AGT-5N6TYV2H"
  },
  "body": {
    "id": "AGT-5N6TYV2H",
    "listingUrl": "https://trust.example/example-labs/changelog-agent"
  }
} as const;

const answer83 = {
  "status": 400,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "invalid_request",
    "message": "repoHostUrl is required.",
    "status": 400
  }
} as const;

const answer84 = {
  "status": 400,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "invalid_request",
    "message": "The body is not valid JSON.",
    "status": 400
  }
} as const;

const answer85 = {
  "status": 400,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "invalid_request",
    "message": "description must have at most 280 characters.",
    "status": 400
  }
} as const;

const answer86 = {
  "status": 400,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "invalid_request",
    "message": "repoHostUrl must name a repository on github.com, gitlab.com, codeberg.org or bitbucket.org.",
    "status": 400
  }
} as const;

const answer87 = {
  "status": 400,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "invalid_request",
    "message": "parentId must be the id of a listed agent or skill.",
    "status": 400
  }
} as const;

const answer88 = {
  "status": 401,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "unauthorized",
    "message": "An access key is required: send it as \"Authorization: Bearer svc_live_…\".",
    "status": 401
  }
} as const;

const answer89 = {
  "status": 401,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "unauthorized",
    "message": "The access key is malformed or unknown. Check it, or create a new one.",
    "status": 401
  }
} as const;

const answer90 = {
  "status": 401,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "unauthorized",
    "message": "The access key has expired. Create a new one.",
    "status": 401
  }
} as const;

const answer91 = {
  "status": 401,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "unauthorized",
    "message": "The access key was revoked. Create a new one.",
    "status": 401
  }
} as const;

const answer92 = {
  "status": 401,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "unauthorized",
    "message": "The access key is paused. Its owner can resume it.",
    "status": 401
  }
} as const;

const answer93 = {
  "status": 401,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "unauthorized",
    "message": "The credential is inactive: its account is suspended. Ask the operator.",
    "status": 401
  }
} as const;

const answer94 = {
  "status": 401,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "unauthorized",
    "message": "The session is unknown or has ended. Sign in again.",
    "status": 401
  }
} as const;

const answer95 = {
  "status": 403,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "forbidden",
    "message": "The access key lacks the scope agents:register. Create one that has it.",
    "status": 403
  }
} as const;

const answer96 = {
  "status": 403,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "forbidden",
    "message": "Your account has no creator handle yet. Choose one in the console, at /console/handle, and register again.",
    "status": 403
  }
} as const;

const answer97 = {
  "status": 403,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "csrf_failed",
    "message": "A request with a session must come from a page of https://trust.example (Origin or Sec-Fetch-Site says so). Programs use an access key.",
    "status": 403
  }
} as const;

const answer98 = {
  "status": 409,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "already_registered",
    "message": "github.com/example-labs/changelog-agent is already registered as AGT-5N6TYV2H.",
    "status": 409
  }
} as const;

const answer99 = {
  "status": 410,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "gone",
    "message": "github.com/example-labs/old-agent was removed by the operator of this directory on 2026-11-20: It was a copy of another project under a false name. It can't be registered; ask the operator if you think that it should be.",
    "status": 410
  }
} as const;

const answer100 = {
  "status": 413,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "payload_too_large",
    "message": "The body is larger than 16 KiB.",
    "status": 413
  }
} as const;

const answer101 = {
  "status": 422,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "idempotency_key_reused",
    "message": "This idempotency_key was used for a registration with another body, which became AGT-5N6TYV2H. Send that body again, or a new key for a new registration.",
    "status": 422
  }
} as const;

const answer102 = {
  "status": 429,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "0",
    "X-RateLimit-Reset": "2",
    "Retry-After": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "rate_limited",
    "message": "Too many requests: 30 a minute are allowed. Retry in 2 s.",
    "status": 429
  }
} as const;

const answer103 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "ok": true,
    "operation": "agent_score",
    "channel": "api",
    "result": {
      "query": {
        "raw": "example-labs/changelog-agent",
        "structured": {
          "firstName": null,
          "lastName": null,
          "email": null,
          "city": null,
          "state": null,
          "country": null,
          "company": null,
          "jobTitle": null
        }
      },
      "scores": {
        "trustScore": 66.6,
        "confidenceScore": 77.6
      },
      "verdict": {
        "state": "verified",
        "sentence": "Some users, active; owner verified.",
        "reasons": [
          {
            "code": "used_by_some",
            "text": "some users"
          },
          {
            "code": "active",
            "text": "active"
          },
          {
            "code": "owner_verified",
            "text": "owner verified"
          },
          {
            "code": "open_source",
            "text": "open-source licence"
          }
        ]
      },
      "verification_status": "complete",
      "mode": "fast",
      "resolved_subject": {
        "canonical_id": "b6f0a1de-52c7-4e0a-9c2b-7d41f0e35a88",
        "type": "agent",
        "name": "Changelog Agent",
        "repository": "example-labs/changelog-agent",
        "public_path": "/a/example-labs/changelog-agent",
        "agent_id": "AGT-5N6TYV2H",
        "source": "registration",
        "source_id": "2f9d8c31-7b64-4f0e-a5d2-61c09e8b7f34"
      },
      "score_evidence": {
        "status": "confirmed",
        "source": "embedded",
        "score_version": "2026-11-20T09:14:03.482915Z",
        "freshness": "2026-11-20T06:00:00Z",
        "method_version": "rs-1.0.0",
        "inputs_hash": "sha256:5f1d7a84e2f64f3c9d9a0b1c3e5f7a9b2c4d6e8f0a1b3c5d7e9f1a3b5c7d9e0f",
        "coverage": 1,
        "expires_at": "2026-11-27T09:14:03.482915Z",
        "caps": [],
        "signature": "eyJhbGciOiJFZERTQSIsImtpZCI6Im5mY0JYLXZpdXdKOWppZElsbUZPbEU5Wi11bTlpR1N2QnRUS3F5aVA4VnciLCJ0eXAiOiJ0cnVzdC1zY29yZStqd3QifQ.eyJjYXBzIjpbXSwiY29udHJpYnV0aW9ucyI6W3siZXZpZGVuY2UiOjMsIm9ic2VydmVkX2F0IjoiMjAyNi0xMS0yMFQwOToxNDowM1oiLCJwb2ludHMiOjguNjIsInJlYXNvbiI6bnVsbCwic2lnbmFsIjoidmVyaWZpZWRfbGlzdGluZyIsInNvdXJjZSI6InJlZ2lzdHJ5Iiwic3RhdHVzIjoib2JzZXJ2ZWQiLCJ2YWx1ZSI6MSwid2VpZ2h0IjoxMH0seyJldmlkZW5jZSI6Mi44LCJvYnNlcnZlZF9hdCI6IjIwMjYtMTEtMjBUMDk6MTQ6MDNaIiwicG9pbnRzIjo3Ljc2LCJyZWFzb24iOm51bGwsInNpZ25hbCI6ImNyZWF0b3JfYWNjb3VudHMiLCJzb3VyY2UiOiJyZWdpc3RyeSIsInN0YXR1cyI6Im9ic2VydmVkIiwidmFsdWUiOjAuNiwid2VpZ2h0IjoxNX0seyJldmlkZW5jZSI6Mi45Nywib2JzZXJ2ZWRfYXQiOiIyMDI2LTExLTIwVDA2OjAwOjAwWiIsInBvaW50cyI6Ny43NCwicmVhc29uIjpudWxsLCJzaWduYWwiOiJjcmVhdG9yX2FnZSIsInNvdXJjZSI6ImdpdGh1Yi5jb20iLCJzdGF0dXMiOiJvYnNlcnZlZCIsInZhbHVlIjowLjg5OCwid2VpZ2h0IjoxMH0seyJldmlkZW5jZSI6Mi43NCwib2JzZXJ2ZWRfYXQiOiIyMDI2LTExLTIwVDA2OjAwOjAwWiIsInBvaW50cyI6MTYuNiwicmVhc29uIjpudWxsLCJzaWduYWwiOiJmcmVzaG5lc3MiLCJzb3VyY2UiOiJnaXRodWIuY29tIiwic3RhdHVzIjoib2JzZXJ2ZWQiLCJ2YWx1ZSI6MC45NjMsIndlaWdodCI6MjB9LHsiZXZpZGVuY2UiOjEuMzcsIm9ic2VydmVkX2F0IjoiMjAyNi0xMS0yMFQwNjowMDowMFoiLCJwb2ludHMiOjMuNDksInJlYXNvbiI6bnVsbCwic2lnbmFsIjoiaXNzdWVfbG9hZCIsInNvdXJjZSI6ImdpdGh1Yi5jb20iLCJzdGF0dXMiOiJvYnNlcnZlZCIsInZhbHVlIjowLjgxLCJ3ZWlnaHQiOjV9LHsiZXZpZGVuY2UiOjEuMSwib2JzZXJ2ZWRfYXQiOiIyMDI2LTExLTIwVDA2OjAwOjAwWiIsInBvaW50cyI6NC4xNywicmVhc29uIjpudWxsLCJzaWduYWwiOiJzdGFycyIsInNvdXJjZSI6ImdpdGh1Yi5jb20iLCJzdGF0dXMiOiJvYnNlcnZlZCIsInZhbHVlIjowLjQwMywid2VpZ2h0IjoxMn0seyJldmlkZW5jZSI6MC4zNSwib2JzZXJ2ZWRfYXQiOiIyMDI2LTExLTIwVDA2OjAwOjAwWiIsInBvaW50cyI6MS43NywicmVhc29uIjpudWxsLCJzaWduYWwiOiJmb3JrcyIsInNvdXJjZSI6ImdpdGh1Yi5jb20iLCJzdGF0dXMiOiJvYnNlcnZlZCIsInZhbHVlIjowLjI1Niwid2VpZ2h0Ijo4fSx7ImV2aWRlbmNlIjoyLCJvYnNlcnZlZF9hdCI6IjIwMjYtMTEtMjBUMDY6MDA6MDBaIiwicG9pbnRzIjo1LjE3LCJyZWFzb24iOm51bGwsInNpZ25hbCI6ImxpY2Vuc2UiLCJzb3VyY2UiOiJnaXRodWIuY29tIiwic3RhdHVzIjoib2JzZXJ2ZWQiLCJ2YWx1ZSI6MSwid2VpZ2h0Ijo2fSx7ImV2aWRlbmNlIjoxLCJvYnNlcnZlZF9hdCI6IjIwMjYtMTEtMjBUMDk6MTQ6MDNaIiwicG9pbnRzIjozLjQ1LCJyZWFzb24iOm51bGwsInNpZ25hbCI6Im1ldGFkYXRhIiwic291cmNlIjoicmVnaXN0cnkiLCJzdGF0dXMiOiJvYnNlcnZlZCIsInZhbHVlIjoxLCJ3ZWlnaHQiOjR9LHsiZXZpZGVuY2UiOjAsIm9ic2VydmVkX2F0IjpudWxsLCJwb2ludHMiOjAsInJlYXNvbiI6Im5vIHBhcmVudCIsInNpZ25hbCI6ImxpbmVhZ2UiLCJzb3VyY2UiOm51bGwsInN0YXR1cyI6Im5vdF9hcHBsaWNhYmxlIiwidmFsdWUiOm51bGwsIndlaWdodCI6MTB9XSwiZXhwIjoxNzk1NzcwODQzLCJpYXQiOjE3OTUxNjYwNDMsImlucHV0cyI6eyJmYWN0cyI6eyJhcmNoaXZlZCI6bnVsbCwiY3JlYXRvckFjY291bnRDcmVhdGVkQXQiOm51bGwsImNyZWF0b3JBY2NvdW50cyI6bnVsbCwiZGVwcmVjYXRlZCI6bnVsbCwiZm9ya3MiOm51bGwsImxhc3RDb21taXRBdCI6bnVsbCwibGljZW5zZSI6bnVsbCwibWV0YWRhdGEiOm51bGwsIm1vbnRobHlEb3dubG9hZHMiOm51bGwsIm9wZW5Jc3N1ZXMiOm51bGwsInBhcmVudHMiOltdLCJyZXBvc2l0b3J5Q3JlYXRlZEF0IjpudWxsLCJzdGFycyI6bnVsbCwidmVyaWZpZWQiOm51bGx9LCJzdWJqZWN0VHlwZSI6ImFnZW50In0sImlucHV0c19oYXNoIjoic2hhMjU2OmI1OWM1NWU1NmU4NGM2NDljMWJmYzQ1OGVkODQ3Yzk0NzMyODFmNTMyNzA1OTkyY2NmMDBjMGFjODJkM2JhYjQiLCJpc3MiOiJodHRwOi8vMTI3LjAuMC4xOjQwMDAiLCJtZXRob2QiOiJycy0xLjAuMCIsIm1ldGhvZF92ZXJzaW9uIjoicnMtMS4wLjAiLCJzY29yZV92ZXJzaW9uIjoiMjAyNi0xMS0yMFQwOToxNDowMy40ODI5MTVaIiwic2NvcmVkX2F0IjoiMjAyNi0xMS0yMFQwOToxNDowMy40ODJaIiwic2NvcmVzIjp7ImNvbmZpZGVuY2UiOjc3LjYsImNvdmVyYWdlIjoxLCJsb3dlcl9ib3VuZCI6NTEuMiwib3duX2NvbmZpZGVuY2UiOjc3LjYsIm93bl90cnVzdCI6NjYuNiwic3RhdHVzIjoiY29tcGxldGUiLCJ0aWVyIjoiaGlnaCIsInRydXN0Ijo2Ni42fSwic291cmNlIjoiZW1iZWRkZWQiLCJzdWIiOiJiNmYwYTFkZS01MmM3LTRlMGEtOWMyYi03ZDQxZjBlMzVhODgiLCJzdWJqZWN0Ijp7ImNhbm9uaWNhbF9pZCI6ImI2ZjBhMWRlLTUyYzctNGUwYS05YzJiLTdkNDFmMGUzNWE4OCIsIm5hbWUiOiJDaGFuZ2Vsb2cgQWdlbnQiLCJyZXBvc2l0b3J5IjoiZXhhbXBsZS1sYWJzL2NoYW5nZWxvZy1hZ2VudCIsInR5cGUiOiJhZ2VudCJ9fQ._lK_IVapM7frvbMjHDFgsOdnKmDJckbuU5rOn6zDxjSt9G3kyBH5hJnRUDdOJmpMiBK4765VKNtsel-HkL6LAw"
      },
      "contributions": [
        {
          "signal": "verified_listing",
          "value": 1,
          "weight": 10,
          "points": 8.62,
          "evidence": 3,
          "status": "observed",
          "source": "registry",
          "observed_at": "2026-11-20T09:14:03Z",
          "reason": null
        },
        {
          "signal": "creator_accounts",
          "value": 0.6,
          "weight": 15,
          "points": 7.76,
          "evidence": 2.8,
          "status": "observed",
          "source": "registry",
          "observed_at": "2026-11-20T09:14:03Z",
          "reason": null
        },
        {
          "signal": "creator_age",
          "value": 0.898,
          "weight": 10,
          "points": 7.74,
          "evidence": 2.97,
          "status": "observed",
          "source": "github.com",
          "observed_at": "2026-11-20T06:00:00Z",
          "reason": null
        },
        {
          "signal": "freshness",
          "value": 0.963,
          "weight": 20,
          "points": 16.6,
          "evidence": 2.74,
          "status": "observed",
          "source": "github.com",
          "observed_at": "2026-11-20T06:00:00Z",
          "reason": null
        },
        {
          "signal": "issue_load",
          "value": 0.81,
          "weight": 5,
          "points": 3.49,
          "evidence": 1.37,
          "status": "observed",
          "source": "github.com",
          "observed_at": "2026-11-20T06:00:00Z",
          "reason": null
        },
        {
          "signal": "stars",
          "value": 0.403,
          "weight": 12,
          "points": 4.17,
          "evidence": 1.1,
          "status": "observed",
          "source": "github.com",
          "observed_at": "2026-11-20T06:00:00Z",
          "reason": null
        },
        {
          "signal": "forks",
          "value": 0.256,
          "weight": 8,
          "points": 1.77,
          "evidence": 0.35,
          "status": "observed",
          "source": "github.com",
          "observed_at": "2026-11-20T06:00:00Z",
          "reason": null
        },
        {
          "signal": "license",
          "value": 1,
          "weight": 6,
          "points": 5.17,
          "evidence": 2,
          "status": "observed",
          "source": "github.com",
          "observed_at": "2026-11-20T06:00:00Z",
          "reason": null
        },
        {
          "signal": "metadata",
          "value": 1,
          "weight": 4,
          "points": 3.45,
          "evidence": 1,
          "status": "observed",
          "source": "registry",
          "observed_at": "2026-11-20T09:14:03Z",
          "reason": null
        },
        {
          "signal": "lineage",
          "value": null,
          "weight": 10,
          "points": 0,
          "evidence": 0,
          "status": "not_applicable",
          "source": null,
          "observed_at": null,
          "reason": "no parent"
        }
      ]
    },
    "resolved_subject": {
      "canonical_id": "b6f0a1de-52c7-4e0a-9c2b-7d41f0e35a88",
      "type": "agent",
      "name": "Changelog Agent",
      "repository": "example-labs/changelog-agent",
      "public_path": "/a/example-labs/changelog-agent",
      "agent_id": "AGT-5N6TYV2H"
    },
    "ledger_id": "01a1f83b-fa57-7c41-9e0b-5d2f8a6c1e47",
    "charge_source": "free",
    "balance_after": {
      "period_kind": "month",
      "period_start": "2026-11-01T00:00:00Z",
      "period_end": "2026-12-01T00:00:00Z",
      "included_credits": 25,
      "included_used": 3
    },
    "settled": true
  }
} as const;

const answer104 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "ok": true,
    "operation": "skill_score",
    "channel": "api",
    "result": {
      "query": {
        "raw": "upstash/context7",
        "structured": {
          "firstName": null,
          "lastName": null,
          "email": null,
          "city": null,
          "state": null,
          "country": null,
          "company": null,
          "jobTitle": null
        }
      },
      "scores": {
        "trustScore": 64.1,
        "confidenceScore": 55.5
      },
      "verification_status": "partial",
      "mode": "fast",
      "resolved_subject": {
        "canonical_id": "e41a7c92-0d35-4b8f-b6a7-2c9f51d8e063",
        "type": "skill",
        "name": "Context7 MCP",
        "repository": "upstash/context7",
        "public_path": "/s/upstash/context7",
        "agent_id": "AGT-C0NT3XT7",
        "source": "tolkonepiu/best-of-mcp-servers",
        "source_id": "6c0e2a19-84d7-4f5b-93b1-d7e5a8f20c4b"
      },
      "score_evidence": {
        "status": "confirmed",
        "source": "embedded",
        "score_version": "2026-11-20T09:15:11.020644Z",
        "freshness": "2026-08-22T00:00:00Z",
        "method_version": "rs-1.0.0",
        "inputs_hash": "sha256:8b0e6f2d4c1a39577e5d3b1f0a9c8e7d6b5a49382716f5e4d3c2b1a09f8e7d6c",
        "coverage": 0.722,
        "expires_at": "2026-11-27T09:15:11.020644Z",
        "caps": []
      },
      "contributions": [
        {
          "signal": "verified_listing",
          "value": 0,
          "weight": 10,
          "points": 0,
          "evidence": 1,
          "status": "observed",
          "source": "registry",
          "observed_at": "2026-11-20T09:15:11Z",
          "reason": null
        },
        {
          "signal": "creator_accounts",
          "value": null,
          "weight": 15,
          "points": 0,
          "evidence": 0,
          "status": "missing",
          "source": null,
          "observed_at": null,
          "reason": "the creator's accounts have not been checked"
        },
        {
          "signal": "creator_age",
          "value": null,
          "weight": 10,
          "points": 0,
          "evidence": 0,
          "status": "missing",
          "source": null,
          "observed_at": null,
          "reason": "not known"
        },
        {
          "signal": "freshness",
          "value": 0.704,
          "weight": 20,
          "points": 16.2,
          "evidence": 3.61,
          "status": "observed",
          "source": "EvanLi/Github-Ranking",
          "observed_at": "2026-08-22T00:00:00Z",
          "reason": null
        },
        {
          "signal": "issue_load",
          "value": 0.994,
          "weight": 5,
          "points": 5.72,
          "evidence": 1.8,
          "status": "observed",
          "source": "EvanLi/Github-Ranking",
          "observed_at": "2026-08-22T00:00:00Z",
          "reason": null
        },
        {
          "signal": "stars",
          "value": 1,
          "weight": 12,
          "points": 13.81,
          "evidence": 3.61,
          "status": "observed",
          "source": "EvanLi/Github-Ranking",
          "observed_at": "2026-08-22T00:00:00Z",
          "reason": null
        },
        {
          "signal": "forks",
          "value": 1,
          "weight": 8,
          "points": 9.2,
          "evidence": 1.8,
          "status": "observed",
          "source": "EvanLi/Github-Ranking",
          "observed_at": "2026-08-22T00:00:00Z",
          "reason": null
        },
        {
          "signal": "license",
          "value": 1,
          "weight": 6,
          "points": 6.9,
          "evidence": 2,
          "status": "observed",
          "source": "registry",
          "observed_at": "2026-11-20T09:15:11Z",
          "reason": null
        },
        {
          "signal": "metadata",
          "value": 0.75,
          "weight": 4,
          "points": 3.45,
          "evidence": 1,
          "status": "observed",
          "source": "registry",
          "observed_at": "2026-11-20T09:15:11Z",
          "reason": null
        },
        {
          "signal": "lineage",
          "value": null,
          "weight": 10,
          "points": 0,
          "evidence": 0,
          "status": "not_applicable",
          "source": null,
          "observed_at": null,
          "reason": "no parent"
        }
      ]
    },
    "resolved_subject": {
      "canonical_id": "e41a7c92-0d35-4b8f-b6a7-2c9f51d8e063",
      "type": "skill",
      "name": "Context7 MCP",
      "repository": "upstash/context7",
      "public_path": "/s/upstash/context7",
      "agent_id": "AGT-C0NT3XT7"
    },
    "ledger_id": "01a1f83d-0291-7d0c-a7e4-1b6c90f3d852",
    "charge_source": "gifted",
    "balance_after": {
      "period_kind": "grant",
      "period_start": "2026-09-01T10:00:00Z",
      "period_end": "2028-09-01T10:00:00Z",
      "included_credits": 500,
      "included_used": 96
    },
    "settled": true
  }
} as const;

const answer105 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "ok": true,
    "operation": "creator_score",
    "channel": "api",
    "result": {
      "query": {
        "raw": "@example-labs",
        "structured": {
          "firstName": null,
          "lastName": null,
          "email": null,
          "city": null,
          "state": null,
          "country": null,
          "company": "Example Labs",
          "jobTitle": null
        }
      },
      "scores": {
        "trustScore": 48.5,
        "confidenceScore": 58.6
      },
      "verification_status": "complete",
      "mode": "fast",
      "resolved_subject": {
        "canonical_id": "17c3e5a0-9f28-4d61-8b7e-e60d4a2f9c15",
        "type": "creator",
        "name": "Example Labs",
        "repository": null,
        "public_path": "/c/example-labs",
        "agent_id": null,
        "source": "registration",
        "source_id": "c85f1b3e-6a07-4e92-9d4c-30b7f2e8a651"
      },
      "score_evidence": {
        "status": "confirmed",
        "source": "embedded",
        "score_version": "2026-11-20T09:16:20.771302Z",
        "freshness": "2026-11-20T06:00:00Z",
        "method_version": "rs-1.0.0",
        "inputs_hash": "sha256:0c9b8a7f6e5d4c3b2a190f8e7d6c5b4a39281706f5e4d3c2b1a0918273645f6e",
        "coverage": 0.85,
        "expires_at": "2026-11-27T09:16:20.771302Z",
        "caps": []
      },
      "contributions": [
        {
          "signal": "verified_accounts",
          "value": 0.6,
          "weight": 35,
          "points": 15.71,
          "evidence": 4,
          "status": "observed",
          "source": "registry",
          "observed_at": "2026-11-20T06:00:00Z",
          "reason": null
        },
        {
          "signal": "account_age",
          "value": 0.68,
          "weight": 20,
          "points": 10.18,
          "evidence": 3.96,
          "status": "observed",
          "source": "github.com",
          "observed_at": "2026-11-20T06:00:00Z",
          "reason": null
        },
        {
          "signal": "portfolio",
          "value": 0.438,
          "weight": 30,
          "points": 9.84,
          "evidence": 0.78,
          "status": "observed",
          "source": "registry",
          "observed_at": "2026-11-20T09:16:20Z",
          "reason": null
        },
        {
          "signal": "graph_equity",
          "value": null,
          "weight": 15,
          "points": 0,
          "evidence": 0,
          "status": "missing",
          "source": null,
          "observed_at": null,
          "reason": "nothing of another creator derives from this one"
        }
      ]
    },
    "resolved_subject": {
      "canonical_id": "17c3e5a0-9f28-4d61-8b7e-e60d4a2f9c15",
      "type": "creator",
      "name": "Example Labs",
      "repository": null,
      "public_path": "/c/example-labs",
      "agent_id": null
    },
    "ledger_id": "01a1f83e-12b3-7f58-8c0a-d4e7129b6f30",
    "charge_source": "purchased",
    "balance_after": {
      "period_kind": "grant",
      "period_start": "2026-10-15T08:00:00Z",
      "period_end": "2028-10-15T08:00:00Z",
      "included_credits": 5000,
      "included_used": 1208
    },
    "settled": true
  }
} as const;

const answer106 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "ok": true,
    "operation": "social_account_score",
    "channel": "api",
    "result": {
      "query": {
        "raw": "x:example_labs",
        "structured": {
          "firstName": null,
          "lastName": null,
          "email": null,
          "city": null,
          "state": null,
          "country": null,
          "company": null,
          "jobTitle": null
        }
      },
      "scores": {
        "trustScore": 80.4,
        "confidenceScore": 77.9
      },
      "verification_status": "complete",
      "mode": "fast",
      "resolved_subject": {
        "canonical_id": "9a2d7f64-c1e8-4b05-a3f9-58b0e6d4c712",
        "type": "social_account",
        "name": "Example Labs",
        "repository": null,
        "public_path": "/u/x/example_labs",
        "agent_id": null,
        "source": "registration",
        "source_id": "4b7e0c92-d5a1-4f38-86ec-a91f3d5b2e07"
      },
      "score_evidence": {
        "status": "confirmed",
        "source": "embedded",
        "score_version": "2026-11-20T09:17:02.139480Z",
        "freshness": "2026-11-20T05:00:00Z",
        "method_version": "rs-1.0.0",
        "inputs_hash": "sha256:3a5c7e9f1b2d4f60718293a4b5c6d7e8f9010213243546576879808a9bacbdce",
        "coverage": 1,
        "expires_at": "2026-11-27T09:17:02.139480Z",
        "caps": []
      },
      "contributions": [
        {
          "signal": "platform_verified",
          "value": 1,
          "weight": 20,
          "points": 15.57,
          "evidence": 3,
          "status": "observed",
          "source": "x.com",
          "observed_at": "2026-11-20T05:00:00Z",
          "reason": null
        },
        {
          "signal": "account_age",
          "value": 0.942,
          "weight": 20,
          "points": 14.67,
          "evidence": 3,
          "status": "observed",
          "source": "x.com",
          "observed_at": "2026-11-20T05:00:00Z",
          "reason": null
        },
        {
          "signal": "audience",
          "value": 0.86,
          "weight": 10,
          "points": 6.7,
          "evidence": 2.58,
          "status": "observed",
          "source": "x.com",
          "observed_at": "2026-11-20T05:00:00Z",
          "reason": null
        },
        {
          "signal": "engagement",
          "value": 0.75,
          "weight": 15,
          "points": 8.76,
          "evidence": 3,
          "status": "observed",
          "source": "x.com",
          "observed_at": "2026-11-20T05:00:00Z",
          "reason": null
        },
        {
          "signal": "recency",
          "value": 0.966,
          "weight": 10,
          "points": 7.52,
          "evidence": 2,
          "status": "observed",
          "source": "x.com",
          "observed_at": "2026-11-20T05:00:00Z",
          "reason": null
        },
        {
          "signal": "cross_link",
          "value": 1,
          "weight": 25,
          "points": 19.46,
          "evidence": 4,
          "status": "observed",
          "source": "registry",
          "observed_at": "2026-11-20T05:00:00Z",
          "reason": null
        }
      ]
    },
    "resolved_subject": {
      "canonical_id": "9a2d7f64-c1e8-4b05-a3f9-58b0e6d4c712",
      "type": "social_account",
      "name": "Example Labs",
      "repository": null,
      "public_path": "/u/x/example_labs",
      "agent_id": null
    },
    "ledger_id": "01a1f83e-b644-7b19-9f72-06c8a5e1d943",
    "charge_source": "included",
    "balance_after": {
      "period_kind": "month",
      "period_start": "2026-11-01T00:00:00Z",
      "period_end": "2026-12-01T00:00:00Z",
      "included_credits": 2000,
      "included_used": 415
    },
    "settled": true
  }
} as const;

const answer107 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "ok": true,
    "operation": "messenger_account_score",
    "channel": "api",
    "result": {
      "query": {
        "raw": "telegram:example_labs_news",
        "structured": {
          "firstName": null,
          "lastName": null,
          "email": null,
          "city": null,
          "state": null,
          "country": null,
          "company": null,
          "jobTitle": null
        }
      },
      "scores": {
        "trustScore": 44.3,
        "confidenceScore": 74.2
      },
      "verification_status": "complete",
      "mode": "fast",
      "resolved_subject": {
        "canonical_id": "d30b8e57-46fa-4c92-b1d8-7fa59c0e2634",
        "type": "messaging_account",
        "name": "Example Labs News",
        "repository": null,
        "public_path": "/m/telegram/example_labs_news",
        "agent_id": null,
        "source": "registration",
        "source_id": "f91c6d28-03be-4a75-8e4d-b57c2a90e1f6"
      },
      "score_evidence": {
        "status": "confirmed",
        "source": "embedded",
        "score_version": "2026-11-20T09:17:48.903117Z",
        "freshness": "2026-11-20T05:00:00Z",
        "method_version": "rs-1.0.0",
        "inputs_hash": "sha256:9d8c7b6a5f4e3d2c1b0a99887766554433221100ffeeddccbbaa998877665544",
        "coverage": 1,
        "expires_at": "2026-11-27T09:17:48.903117Z",
        "caps": []
      },
      "contributions": [
        {
          "signal": "platform_verified",
          "value": 0,
          "weight": 20,
          "points": 0,
          "evidence": 1,
          "status": "observed",
          "source": "t.me",
          "observed_at": "2026-11-20T05:00:00Z",
          "reason": null
        },
        {
          "signal": "account_age",
          "value": 0.68,
          "weight": 20,
          "points": 10.09,
          "evidence": 2.97,
          "status": "observed",
          "source": "t.me",
          "observed_at": "2026-11-20T05:00:00Z",
          "reason": null
        },
        {
          "signal": "audience",
          "value": 0.987,
          "weight": 10,
          "points": 7.32,
          "evidence": 2.93,
          "status": "observed",
          "source": "t.me",
          "observed_at": "2026-11-20T05:00:00Z",
          "reason": null
        },
        {
          "signal": "engagement",
          "value": 0.116,
          "weight": 15,
          "points": 1.29,
          "evidence": 2.97,
          "status": "observed",
          "source": "t.me",
          "observed_at": "2026-11-20T05:00:00Z",
          "reason": null
        },
        {
          "signal": "recency",
          "value": 0.989,
          "weight": 10,
          "points": 7.33,
          "evidence": 1.98,
          "status": "observed",
          "source": "t.me",
          "observed_at": "2026-11-20T05:00:00Z",
          "reason": null
        },
        {
          "signal": "cross_link",
          "value": 0.5,
          "weight": 25,
          "points": 9.27,
          "evidence": 2.5,
          "status": "observed",
          "source": "registry",
          "observed_at": "2026-11-20T05:00:00Z",
          "reason": null
        }
      ]
    },
    "resolved_subject": {
      "canonical_id": "d30b8e57-46fa-4c92-b1d8-7fa59c0e2634",
      "type": "messaging_account",
      "name": "Example Labs News",
      "repository": null,
      "public_path": "/m/telegram/example_labs_news",
      "agent_id": null
    },
    "ledger_id": "01a1f83f-6b07-7e43-b5d9-c81f2e60a794",
    "charge_source": "overage",
    "balance_after": {
      "period_kind": "month",
      "period_start": "2026-11-01T00:00:00Z",
      "period_end": "2026-12-01T00:00:00Z",
      "included_credits": 2000,
      "included_used": 5
    },
    "settled": true
  }
} as const;

const answer108 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "ok": true,
    "operation": "agent_skill_lineage",
    "channel": "api",
    "result": {
      "query": {
        "raw": "example-labs/changelog-agent",
        "structured": {
          "firstName": null,
          "lastName": null,
          "email": null,
          "city": null,
          "state": null,
          "country": null,
          "company": null,
          "jobTitle": null
        }
      },
      "scores": {
        "trustScore": 66.6,
        "confidenceScore": 77.6
      },
      "verification_status": "complete",
      "mode": "fast",
      "resolved_subject": {
        "canonical_id": "b6f0a1de-52c7-4e0a-9c2b-7d41f0e35a88",
        "type": "agent",
        "name": "Changelog Agent",
        "repository": "example-labs/changelog-agent",
        "public_path": "/a/example-labs/changelog-agent",
        "agent_id": "AGT-5N6TYV2H",
        "source": "registration",
        "source_id": "2f9d8c31-7b64-4f0e-a5d2-61c09e8b7f34"
      },
      "score_evidence": {
        "status": "confirmed",
        "source": "embedded",
        "score_version": "2026-11-20T09:18:30.556820Z",
        "freshness": "2026-11-20T06:00:00Z",
        "method_version": "rs-1.0.0",
        "inputs_hash": "sha256:5f1d7a84e2f64f3c9d9a0b1c3e5f7a9b2c4d6e8f0a1b3c5d7e9f1a3b5c7d9e0f",
        "coverage": 1,
        "expires_at": "2026-11-27T09:18:30.556820Z",
        "caps": []
      },
      "contributions": [
        {
          "signal": "verified_listing",
          "value": 1,
          "weight": 10,
          "points": 8.62,
          "evidence": 3,
          "status": "observed",
          "source": "registry",
          "observed_at": "2026-11-20T09:14:03Z",
          "reason": null
        },
        {
          "signal": "creator_accounts",
          "value": 0.6,
          "weight": 15,
          "points": 7.76,
          "evidence": 2.8,
          "status": "observed",
          "source": "registry",
          "observed_at": "2026-11-20T09:14:03Z",
          "reason": null
        },
        {
          "signal": "creator_age",
          "value": 0.898,
          "weight": 10,
          "points": 7.74,
          "evidence": 2.97,
          "status": "observed",
          "source": "github.com",
          "observed_at": "2026-11-20T06:00:00Z",
          "reason": null
        },
        {
          "signal": "freshness",
          "value": 0.963,
          "weight": 20,
          "points": 16.6,
          "evidence": 2.74,
          "status": "observed",
          "source": "github.com",
          "observed_at": "2026-11-20T06:00:00Z",
          "reason": null
        },
        {
          "signal": "issue_load",
          "value": 0.81,
          "weight": 5,
          "points": 3.49,
          "evidence": 1.37,
          "status": "observed",
          "source": "github.com",
          "observed_at": "2026-11-20T06:00:00Z",
          "reason": null
        },
        {
          "signal": "stars",
          "value": 0.403,
          "weight": 12,
          "points": 4.17,
          "evidence": 1.1,
          "status": "observed",
          "source": "github.com",
          "observed_at": "2026-11-20T06:00:00Z",
          "reason": null
        },
        {
          "signal": "forks",
          "value": 0.256,
          "weight": 8,
          "points": 1.77,
          "evidence": 0.35,
          "status": "observed",
          "source": "github.com",
          "observed_at": "2026-11-20T06:00:00Z",
          "reason": null
        },
        {
          "signal": "license",
          "value": 1,
          "weight": 6,
          "points": 5.17,
          "evidence": 2,
          "status": "observed",
          "source": "github.com",
          "observed_at": "2026-11-20T06:00:00Z",
          "reason": null
        },
        {
          "signal": "metadata",
          "value": 1,
          "weight": 4,
          "points": 3.45,
          "evidence": 1,
          "status": "observed",
          "source": "registry",
          "observed_at": "2026-11-20T09:14:03Z",
          "reason": null
        },
        {
          "signal": "lineage",
          "value": null,
          "weight": 10,
          "points": 0,
          "evidence": 0,
          "status": "not_applicable",
          "source": null,
          "observed_at": null,
          "reason": "no parent"
        }
      ],
      "lineage": {
        "subject": {
          "id": "b6f0a1de-52c7-4e0a-9c2b-7d41f0e35a88",
          "type": "agent",
          "name": "Changelog Agent",
          "repository": "example-labs/changelog-agent"
        },
        "creator": {
          "canonical_id": "17c3e5a0-9f28-4d61-8b7e-e60d4a2f9c15",
          "handle": "example-labs",
          "trust": 48.5,
          "confidence": 58.6,
          "score_status": "scored",
          "scored_at": "2026-11-20T09:16:20.771302Z"
        },
        "relationships": [
          {
            "type": "created_by",
            "from": "b6f0a1de-52c7-4e0a-9c2b-7d41f0e35a88",
            "to": "17c3e5a0-9f28-4d61-8b7e-e60d4a2f9c15"
          }
        ]
      }
    },
    "resolved_subject": {
      "canonical_id": "b6f0a1de-52c7-4e0a-9c2b-7d41f0e35a88",
      "type": "agent",
      "name": "Changelog Agent",
      "repository": "example-labs/changelog-agent",
      "public_path": "/a/example-labs/changelog-agent",
      "agent_id": "AGT-5N6TYV2H"
    },
    "ledger_id": "01a1f840-0e3c-7a85-92d6-4f7b18c0e5a3",
    "charge_source": "purchased",
    "balance_after": {
      "period_kind": "grant",
      "period_start": "2026-10-15T08:00:00Z",
      "period_end": "2028-10-15T08:00:00Z",
      "included_credits": 5000,
      "included_used": 1228
    },
    "settled": true
  }
} as const;

const answer109 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store",
    "Idempotent-Replayed": "true"
  },
  "body": {
    "ok": true,
    "operation": "agent_score",
    "channel": "api",
    "result": null,
    "resolved_subject": {
      "canonical_id": "b6f0a1de-52c7-4e0a-9c2b-7d41f0e35a88",
      "type": "agent",
      "name": "Changelog Agent",
      "repository": "example-labs/changelog-agent",
      "public_path": "/a/example-labs/changelog-agent",
      "agent_id": "AGT-5N6TYV2H"
    },
    "idempotent": true,
    "ledger_id": "01a1f83b-fa57-7c41-9e0b-5d2f8a6c1e47",
    "signature_sha256": "874b462da1d3b8f8c8817b6b0722e7b86972505a85113d0bebdd8efe8a98de2f",
    "charge_source": "free",
    "balance_after": {
      "period_kind": "month",
      "period_start": "2026-11-01T00:00:00Z",
      "period_end": "2026-12-01T00:00:00Z",
      "included_credits": 25,
      "included_used": 3
    },
    "settled": true
  }
} as const;

const answer110 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "ok": true,
    "operation": "agent_skill_lineage",
    "channel": "api",
    "dry_run": true,
    "result": null,
    "resolved_subject": {
      "canonical_id": "b6f0a1de-52c7-4e0a-9c2b-7d41f0e35a88",
      "type": "agent",
      "name": "Changelog Agent",
      "repository": "example-labs/changelog-agent",
      "public_path": "/a/example-labs/changelog-agent",
      "agent_id": "AGT-5N6TYV2H"
    },
    "price_credits": 20,
    "charge_source": "purchased",
    "balance_after": {
      "period_kind": "grant",
      "period_start": "2026-10-15T08:00:00Z",
      "period_end": "2028-10-15T08:00:00Z",
      "included_credits": 5000,
      "included_used": 1248
    },
    "settled": false,
    "score_basis": {
      "state": "well_evidenced",
      "signals_known": 7,
      "signals_total": 10,
      "confidence": 52.4,
      "text": "well evidenced: 7 of 10 signals known"
    }
  }
} as const;

const answer111 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "ok": true,
    "operation": "skill_score",
    "channel": "api",
    "result": {
      "query": {
        "raw": "upstash/context7",
        "structured": {
          "firstName": null,
          "lastName": null,
          "email": null,
          "city": null,
          "state": null,
          "country": null,
          "company": null,
          "jobTitle": null
        }
      },
      "scores": {
        "trustScore": 64.1,
        "confidenceScore": 55.5
      },
      "verification_status": "partial",
      "mode": "fast",
      "resolved_subject": {
        "canonical_id": "e41a7c92-0d35-4b8f-b6a7-2c9f51d8e063",
        "type": "skill",
        "name": "Context7 MCP",
        "repository": "upstash/context7",
        "public_path": "/s/upstash/context7",
        "agent_id": "AGT-C0NT3XT7",
        "source": "tolkonepiu/best-of-mcp-servers",
        "source_id": "6c0e2a19-84d7-4f5b-93b1-d7e5a8f20c4b"
      },
      "score_evidence": {
        "status": "confirmed",
        "source": "embedded",
        "score_version": "2026-11-20T09:19:26.614093Z",
        "freshness": "2026-08-22T00:00:00Z",
        "method_version": "rs-1.0.0",
        "inputs_hash": "sha256:8b0e6f2d4c1a39577e5d3b1f0a9c8e7d6b5a49382716f5e4d3c2b1a09f8e7d6c",
        "coverage": 0.722,
        "expires_at": "2026-11-27T09:19:26.614093Z",
        "caps": []
      },
      "contributions": [
        {
          "signal": "verified_listing",
          "value": 0,
          "weight": 10,
          "points": 0,
          "evidence": 1,
          "status": "observed",
          "source": "registry",
          "observed_at": "2026-11-20T09:15:11Z",
          "reason": null
        },
        {
          "signal": "creator_accounts",
          "value": null,
          "weight": 15,
          "points": 0,
          "evidence": 0,
          "status": "missing",
          "source": null,
          "observed_at": null,
          "reason": "the creator's accounts have not been checked"
        },
        {
          "signal": "creator_age",
          "value": null,
          "weight": 10,
          "points": 0,
          "evidence": 0,
          "status": "missing",
          "source": null,
          "observed_at": null,
          "reason": "not known"
        },
        {
          "signal": "freshness",
          "value": 0.704,
          "weight": 20,
          "points": 16.2,
          "evidence": 3.61,
          "status": "observed",
          "source": "EvanLi/Github-Ranking",
          "observed_at": "2026-08-22T00:00:00Z",
          "reason": null
        },
        {
          "signal": "issue_load",
          "value": 0.994,
          "weight": 5,
          "points": 5.72,
          "evidence": 1.8,
          "status": "observed",
          "source": "EvanLi/Github-Ranking",
          "observed_at": "2026-08-22T00:00:00Z",
          "reason": null
        },
        {
          "signal": "stars",
          "value": 1,
          "weight": 12,
          "points": 13.81,
          "evidence": 3.61,
          "status": "observed",
          "source": "EvanLi/Github-Ranking",
          "observed_at": "2026-08-22T00:00:00Z",
          "reason": null
        },
        {
          "signal": "forks",
          "value": 1,
          "weight": 8,
          "points": 9.2,
          "evidence": 1.8,
          "status": "observed",
          "source": "EvanLi/Github-Ranking",
          "observed_at": "2026-08-22T00:00:00Z",
          "reason": null
        },
        {
          "signal": "license",
          "value": 1,
          "weight": 6,
          "points": 6.9,
          "evidence": 2,
          "status": "observed",
          "source": "registry",
          "observed_at": "2026-11-20T09:15:11Z",
          "reason": null
        },
        {
          "signal": "metadata",
          "value": 0.75,
          "weight": 4,
          "points": 3.45,
          "evidence": 1,
          "status": "observed",
          "source": "registry",
          "observed_at": "2026-11-20T09:15:11Z",
          "reason": null
        },
        {
          "signal": "lineage",
          "value": null,
          "weight": 10,
          "points": 0,
          "evidence": 0,
          "status": "not_applicable",
          "source": null,
          "observed_at": null,
          "reason": "no parent"
        }
      ]
    },
    "resolved_subject": {
      "canonical_id": "e41a7c92-0d35-4b8f-b6a7-2c9f51d8e063",
      "type": "skill",
      "name": "Context7 MCP",
      "repository": "upstash/context7",
      "public_path": "/s/upstash/context7",
      "agent_id": "AGT-C0NT3XT7"
    },
    "ledger_id": "01a1f840-e8d1-7c29-8b43-e90d5f6a7c12",
    "charge_source": "included",
    "balance_after": {
      "period_kind": "month",
      "period_start": "2026-11-01T00:00:00Z",
      "period_end": "2026-12-01T00:00:00Z",
      "included_credits": 2000,
      "included_used": 423
    },
    "settled": true
  }
} as const;

const answer112 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "ok": true,
    "operation": "skill_score",
    "channel": "api",
    "result": {
      "query": {
        "raw": "cyanheads/github-mcp-server",
        "structured": {
          "firstName": null,
          "lastName": null,
          "email": null,
          "city": null,
          "state": null,
          "country": null,
          "company": null,
          "jobTitle": null
        }
      },
      "scores": {
        "trustScore": 29.1,
        "confidenceScore": 11.3
      },
      "verification_status": "partial",
      "mode": "fast",
      "resolved_subject": {
        "canonical_id": "8f14e45f-ceea-467f-a8d1-7c2b9d3e5a10",
        "type": "skill",
        "name": "github-mcp-server",
        "repository": "cyanheads/github-mcp-server",
        "public_path": "/s/cyanheads/github-mcp-server",
        "agent_id": "AGT-0GHM9P4S",
        "source": "TensorBlock/awesome-mcp-servers",
        "source_id": "a06d9e17-52c4-4b83-9e0f-7d18b3c5f2e9"
      },
      "score_evidence": {
        "status": "confirmed",
        "source": "embedded",
        "score_version": "2026-11-20T09:20:05.277461Z",
        "freshness": "2026-11-20T09:20:05Z",
        "method_version": "rs-1.0.0",
        "inputs_hash": "sha256:1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f00f",
        "coverage": 0.156,
        "expires_at": "2026-11-27T09:20:05.277461Z",
        "caps": []
      },
      "contributions": [
        {
          "signal": "verified_listing",
          "value": 0,
          "weight": 10,
          "points": 0,
          "evidence": 1,
          "status": "observed",
          "source": "registry",
          "observed_at": "2026-11-20T09:20:05Z",
          "reason": null
        },
        {
          "signal": "creator_accounts",
          "value": null,
          "weight": 15,
          "points": 0,
          "evidence": 0,
          "status": "missing",
          "source": null,
          "observed_at": null,
          "reason": "the creator's accounts have not been checked"
        },
        {
          "signal": "creator_age",
          "value": null,
          "weight": 10,
          "points": 0,
          "evidence": 0,
          "status": "missing",
          "source": null,
          "observed_at": null,
          "reason": "not known"
        },
        {
          "signal": "freshness",
          "value": null,
          "weight": 20,
          "points": 0,
          "evidence": 0,
          "status": "missing",
          "source": null,
          "observed_at": null,
          "reason": "not known"
        },
        {
          "signal": "issue_load",
          "value": null,
          "weight": 5,
          "points": 0,
          "evidence": 0,
          "status": "missing",
          "source": null,
          "observed_at": null,
          "reason": "not known"
        },
        {
          "signal": "stars",
          "value": null,
          "weight": 12,
          "points": 0,
          "evidence": 0,
          "status": "missing",
          "source": null,
          "observed_at": null,
          "reason": "not known"
        },
        {
          "signal": "forks",
          "value": null,
          "weight": 8,
          "points": 0,
          "evidence": 0,
          "status": "missing",
          "source": null,
          "observed_at": null,
          "reason": "not known"
        },
        {
          "signal": "license",
          "value": null,
          "weight": 6,
          "points": 0,
          "evidence": 0,
          "status": "missing",
          "source": null,
          "observed_at": null,
          "reason": "not known"
        },
        {
          "signal": "metadata",
          "value": 0.5,
          "weight": 4,
          "points": 4.08,
          "evidence": 1,
          "status": "observed",
          "source": "registry",
          "observed_at": "2026-11-20T09:20:05Z",
          "reason": null
        },
        {
          "signal": "lineage",
          "value": null,
          "weight": 10,
          "points": 0,
          "evidence": 0,
          "status": "not_applicable",
          "source": null,
          "observed_at": null,
          "reason": "no parent"
        }
      ]
    },
    "resolved_subject": {
      "canonical_id": "8f14e45f-ceea-467f-a8d1-7c2b9d3e5a10",
      "type": "skill",
      "name": "github-mcp-server",
      "repository": "cyanheads/github-mcp-server",
      "public_path": "/s/cyanheads/github-mcp-server",
      "agent_id": "AGT-0GHM9P4S"
    },
    "ledger_id": "01a1f841-80f6-7d5e-a1c7-38e2b94f0d65",
    "charge_source": "free",
    "balance_after": {
      "period_kind": "month",
      "period_start": "2026-11-01T00:00:00Z",
      "period_end": "2026-12-01T00:00:00Z",
      "included_credits": 25,
      "included_used": 4
    },
    "settled": true
  }
} as const;

const answer113 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "ok": true,
    "operation": "agent_skill_lineage",
    "channel": "api",
    "result": {
      "query": {
        "raw": "QwenLM/qwen-code",
        "structured": {
          "firstName": null,
          "lastName": null,
          "email": null,
          "city": null,
          "state": null,
          "country": null,
          "company": null,
          "jobTitle": null
        }
      },
      "scores": {
        "trustScore": 44.7,
        "confidenceScore": 19.6
      },
      "verification_status": "partial",
      "mode": "fast",
      "resolved_subject": {
        "canonical_id": "70c2d9e4-1b5f-4a86-9d3c-f8e0a7b61254",
        "type": "agent",
        "name": "Qwen Code",
        "repository": "QwenLM/qwen-code",
        "public_path": "/a/QwenLM/qwen-code",
        "agent_id": "AGT-3F8WZ1RB",
        "source": "RyanAlberts/best-of-Agent-Harnesses",
        "source_id": "5d81f7a3-e209-4c6b-b4d0-92a6c3f8e71d"
      },
      "score_evidence": {
        "status": "confirmed",
        "source": "embedded",
        "score_version": "2026-11-20T09:21:44.830259Z",
        "freshness": "2026-08-22T00:00:00Z",
        "method_version": "rs-1.0.0",
        "inputs_hash": "sha256:c0ffee00112233445566778899aabbccddeeff00112233445566778899aabbcc",
        "coverage": 0.289,
        "expires_at": "2026-11-27T09:21:44.830259Z",
        "caps": []
      },
      "contributions": [
        {
          "signal": "verified_listing",
          "value": 0,
          "weight": 10,
          "points": 0,
          "evidence": 1,
          "status": "observed",
          "source": "registry",
          "observed_at": "2026-11-20T09:21:44Z",
          "reason": null
        },
        {
          "signal": "creator_accounts",
          "value": null,
          "weight": 15,
          "points": 0,
          "evidence": 0,
          "status": "missing",
          "source": null,
          "observed_at": null,
          "reason": "the creator's accounts have not been checked"
        },
        {
          "signal": "creator_age",
          "value": null,
          "weight": 10,
          "points": 0,
          "evidence": 0,
          "status": "missing",
          "source": null,
          "observed_at": null,
          "reason": "not known"
        },
        {
          "signal": "freshness",
          "value": null,
          "weight": 20,
          "points": 0,
          "evidence": 0,
          "status": "missing",
          "source": null,
          "observed_at": null,
          "reason": "not known"
        },
        {
          "signal": "issue_load",
          "value": null,
          "weight": 5,
          "points": 0,
          "evidence": 0,
          "status": "missing",
          "source": null,
          "observed_at": null,
          "reason": "not known"
        },
        {
          "signal": "stars",
          "value": 1,
          "weight": 12,
          "points": 19.7,
          "evidence": 1.72,
          "status": "observed",
          "source": "Rodert/awesome-mcp",
          "observed_at": "2026-08-22T00:00:00Z",
          "reason": null
        },
        {
          "signal": "forks",
          "value": null,
          "weight": 8,
          "points": 0,
          "evidence": 0,
          "status": "missing",
          "source": null,
          "observed_at": null,
          "reason": "not known"
        },
        {
          "signal": "license",
          "value": null,
          "weight": 6,
          "points": 0,
          "evidence": 0,
          "status": "missing",
          "source": null,
          "observed_at": null,
          "reason": "not known"
        },
        {
          "signal": "metadata",
          "value": 0.75,
          "weight": 4,
          "points": 4.92,
          "evidence": 1,
          "status": "observed",
          "source": "registry",
          "observed_at": "2026-11-20T09:21:44Z",
          "reason": null
        },
        {
          "signal": "lineage",
          "value": null,
          "weight": 10,
          "points": 0,
          "evidence": 0,
          "status": "not_applicable",
          "source": null,
          "observed_at": null,
          "reason": "would not raise trust"
        }
      ],
      "lineage": {
        "subject": {
          "id": "70c2d9e4-1b5f-4a86-9d3c-f8e0a7b61254",
          "type": "agent",
          "name": "Qwen Code",
          "repository": "QwenLM/qwen-code"
        },
        "creator": {
          "canonical_id": "3b94e0f6-a817-4d2c-8c65-1de7f05a92b8",
          "handle": "QwenLM",
          "trust": null,
          "confidence": null,
          "score_status": "unavailable",
          "scored_at": null
        },
        "relationships": [
          {
            "type": "created_by",
            "from": "70c2d9e4-1b5f-4a86-9d3c-f8e0a7b61254",
            "to": "3b94e0f6-a817-4d2c-8c65-1de7f05a92b8"
          },
          {
            "type": "fork_of",
            "from": "70c2d9e4-1b5f-4a86-9d3c-f8e0a7b61254",
            "to": "52f8c1b7-6e04-4a9d-b2f3-a0c76d98e415"
          }
        ]
      }
    },
    "resolved_subject": {
      "canonical_id": "70c2d9e4-1b5f-4a86-9d3c-f8e0a7b61254",
      "type": "agent",
      "name": "Qwen Code",
      "repository": "QwenLM/qwen-code",
      "public_path": "/a/QwenLM/qwen-code",
      "agent_id": "AGT-3F8WZ1RB"
    },
    "ledger_id": "01a1f843-05ae-7f13-9c8d-b2647e50a1f9",
    "charge_source": "included",
    "balance_after": {
      "period_kind": "month",
      "period_start": "2026-11-01T00:00:00Z",
      "period_end": "2026-12-01T00:00:00Z",
      "included_credits": 2000,
      "included_used": 443
    },
    "settled": true
  }
} as const;

const answer114 = {
  "status": 400,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "ok": false,
    "operation": "agent_score",
    "channel": "api",
    "error": "idempotency_key is required.",
    "code": "invalid_request"
  }
} as const;

const answer115 = {
  "status": 400,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "ok": false,
    "operation": "agent_score",
    "channel": "api",
    "error": "Unknown field \"subjects\".",
    "code": "invalid_request"
  }
} as const;

const answer116 = {
  "status": 400,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "ok": false,
    "operation": null,
    "channel": null,
    "error": "The body is not valid JSON.",
    "code": "invalid_json"
  }
} as const;

const answer117 = {
  "status": 400,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "ok": false,
    "operation": "agent_score",
    "channel": "web",
    "error": "channel must be one of: api, mcp.",
    "code": "invalid_channel"
  }
} as const;

const answer118 = {
  "status": 400,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "ok": false,
    "operation": "repo_score",
    "channel": "api",
    "error": "operation must be one of: agent_score, skill_score, creator_score, social_account_score, messenger_account_score, agent_skill_lineage.",
    "code": "invalid_operation"
  }
} as const;

const answer119 = {
  "status": 401,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "ok": false,
    "operation": "agent_score",
    "channel": "api",
    "error": "An access key is required: send it as \"Authorization: Bearer svc_live_…\".",
    "code": "unauthorized"
  }
} as const;

const answer120 = {
  "status": 401,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "ok": false,
    "operation": "agent_score",
    "channel": "api",
    "error": "The access key is malformed or unknown. Check it, or create a new one.",
    "code": "unauthorized"
  }
} as const;

const answer121 = {
  "status": 401,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "ok": false,
    "operation": "agent_score",
    "channel": "api",
    "error": "The access key has expired. Create a new one.",
    "code": "key_expired"
  }
} as const;

const answer122 = {
  "status": 401,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "ok": false,
    "operation": "agent_score",
    "channel": "api",
    "error": "The access key was revoked. Create a new one.",
    "code": "key_revoked"
  }
} as const;

const answer123 = {
  "status": 401,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "ok": false,
    "operation": "agent_score",
    "channel": "api",
    "error": "The access key is paused. Its owner can resume it.",
    "code": "key_inactive"
  }
} as const;

const answer124 = {
  "status": 401,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "ok": false,
    "operation": "agent_score",
    "channel": "api",
    "error": "The credential is inactive: its account is suspended. Ask the operator.",
    "code": "key_inactive"
  }
} as const;

const answer125 = {
  "status": 401,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "ok": false,
    "operation": "agent_score",
    "channel": "api",
    "error": "The session is unknown or has ended. Sign in again.",
    "code": "unauthorized"
  }
} as const;

const answer126 = {
  "status": 402,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "ok": false,
    "operation": "agent_skill_lineage",
    "channel": "api",
    "error": "Your free calls and credits do not cover the price of this call. Add credits, or wait for the next period.",
    "code": "insufficient_credits"
  }
} as const;

const answer127 = {
  "status": 402,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "ok": false,
    "operation": "agent_score",
    "channel": "api",
    "error": "This call would exceed the monthly limit of its access key, 100 calls. Raise the limit under Keys in the console, use another key, or wait for the next month.",
    "code": "key_limit_exceeded"
  }
} as const;

const answer128 = {
  "status": 402,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "ok": false,
    "operation": "agent_score",
    "channel": "api",
    "error": "Your free calls and credits do not cover the price of this call. Your plan offers up to 2000 credits of overage a month, which is off: switch it on under Plan in the console. Or add credits, or wait for the next period.",
    "code": "insufficient_credits"
  }
} as const;

const answer129 = {
  "status": 403,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "ok": false,
    "operation": "agent_skill_lineage",
    "channel": "api",
    "error": "agent_skill_lineage needs the scope lineage:read, which this access key lacks. Create a key that has it.",
    "code": "insufficient_scope"
  }
} as const;

const answer130 = {
  "status": 403,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "ok": false,
    "operation": "agent_score",
    "channel": "api",
    "error": "api_key_id is not the id of the access key that signs this request. Leave it out: the key is derived from the bearer token.",
    "code": "key_mismatch"
  }
} as const;

const answer131 = {
  "status": 403,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "ok": false,
    "operation": "agent_score",
    "channel": "api",
    "error": "The access key that api_key_id names is not active. Name an active one, or leave it out.",
    "code": "key_inactive"
  }
} as const;

const answer132 = {
  "status": 403,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "ok": false,
    "operation": "agent_score",
    "channel": "api",
    "error": "api_key_id is not the id of an access key of this account. Name one of its active keys, or leave it out.",
    "code": "key_mismatch"
  }
} as const;

const answer133 = {
  "status": 403,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "ok": false,
    "operation": "agent_score",
    "channel": "api",
    "error": "A request with a session must come from a page of https://trust.example (Origin or Sec-Fetch-Site says so). Programs use an access key.",
    "code": "csrf_failed"
  }
} as const;

const answer134 = {
  "status": 404,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "ok": false,
    "operation": "agent_score",
    "channel": "api",
    "error": "No agent matches.",
    "code": "subject_not_found"
  }
} as const;

const answer135 = {
  "status": 404,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "ok": false,
    "operation": "agent_score",
    "channel": "api",
    "error": "No agent matches. \"upstash/context7\" is a skill: use skill_score for it.",
    "code": "subject_not_found"
  }
} as const;

const answer136 = {
  "status": 404,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "ok": false,
    "operation": "agent_score",
    "channel": "api",
    "error": "github.com/example-labs/old-agent was removed by the operator of this directory on 2026-11-20: It was a copy of another project under a false name. Nothing was charged.",
    "code": "subject_delisted"
  }
} as const;

const answer137 = {
  "status": 409,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "ok": false,
    "operation": "skill_score",
    "channel": "api",
    "error": "Several subjects have this name. Send the canonical_id of one of the candidates as subject.",
    "code": "subject_ambiguous",
    "candidates": [
      {
        "canonical_id": "8f14e45f-ceea-467f-a8d1-7c2b9d3e5a10",
        "type": "skill",
        "name": "github-mcp-server",
        "repository": "cyanheads/github-mcp-server",
        "public_path": "/s/cyanheads/github-mcp-server"
      },
      {
        "canonical_id": "45c48cce-2e2d-4fbd-9a7b-1f0e6c8d2b73",
        "type": "skill",
        "name": "github-mcp-server",
        "repository": "kich555/github-mcp-server",
        "public_path": "/s/kich555/github-mcp-server"
      }
    ]
  }
} as const;

const answer138 = {
  "status": 409,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Retry-After": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "ok": false,
    "operation": "agent_score",
    "channel": "api",
    "error": "A request with this idempotency_key is in progress. Retry with the same key.",
    "code": "idempotency_in_progress",
    "ledger_id": "01a1f83b-fa57-7c41-9e0b-5d2f8a6c1e47"
  }
} as const;

const answer139 = {
  "status": 413,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "ok": false,
    "operation": null,
    "channel": null,
    "error": "The body is larger than 16 KiB.",
    "code": "payload_too_large"
  }
} as const;

const answer140 = {
  "status": 415,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "ok": false,
    "operation": null,
    "channel": null,
    "error": "Send the body as JSON with Content-Type: application/json.",
    "code": "unsupported_media_type"
  }
} as const;

const answer141 = {
  "status": 422,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "ok": false,
    "operation": "skill_score",
    "channel": "api",
    "error": "This idempotency_key was used for another operation or subject. Use a new key for a new request.",
    "code": "idempotency_key_reused"
  }
} as const;

const answer142 = {
  "status": 429,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "0",
    "X-RateLimit-Reset": "2",
    "Retry-After": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "ok": false,
    "operation": "agent_score",
    "channel": "api",
    "error": "Too many requests: 600 a minute are allowed. Retry in 2 s.",
    "code": "rate_limited"
  }
} as const;

const answer143 = {
  "status": 429,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "0",
    "X-RateLimit-Reset": "2",
    "Retry-After": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "ok": false,
    "operation": null,
    "channel": null,
    "error": "Too many requests: 30 a minute are allowed. Retry in 2 s.",
    "code": "rate_limited"
  }
} as const;

const answer144 = {
  "status": 429,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "0",
    "X-RateLimit-Reset": "2",
    "Retry-After": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "ok": false,
    "operation": "agent_score",
    "channel": "api",
    "error": "20 attempts with this idempotency_key have failed. You can retry it once a minute.",
    "code": "rate_limited"
  }
} as const;

const answer145 = {
  "status": 500,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "ok": false,
    "operation": "agent_score",
    "channel": "api",
    "error": "Something went wrong on our side. It was logged under the request id.",
    "code": "internal_error"
  }
} as const;

const answer146 = {
  "status": 501,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "ok": false,
    "operation": "agent_score",
    "channel": "mcp",
    "error": "mcp_not_available",
    "code": "mcp_not_available"
  }
} as const;

const answer147 = {
  "status": 502,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "ok": false,
    "operation": "agent_score",
    "channel": "api",
    "error": "The scoring backend gave no usable score. Nothing was charged; retry with the same idempotency_key.",
    "code": "scoring_failed",
    "ledger_id": "01a1f83c-1b90-7a2e-8c57-93e1d04bf6a8"
  }
} as const;

const answer148 = {
  "status": 503,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Retry-After": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "ok": false,
    "operation": "agent_score",
    "channel": "api",
    "error": "The service cannot reach its database just now. Retry in a moment.",
    "code": "unavailable"
  }
} as const;

const answer149 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "data": [
      {
        "id": "0192f3a4-5b6c-7d8e-9f01-23456789abcd",
        "kind": "repo_host",
        "host": "github.com",
        "handle": "example-labs",
        "state": "proved",
        "code": "trust-directory-7m2qx9dk4tn6whv3bpzc",
        "codeExpiresAt": "2026-11-21T09:14:03.482915Z",
        "instructions": "Put the code into the profile text of example-labs on github.com. A person may instead put it into a file trust-directory.txt at the root of the public repository \"trust-directory\" or \"example-labs\". An organisation, group or workspace may not, since any member can write there. For one of those also counts a DNS TXT record with the code at _trust-directory.DOMAIN, where DOMAIN is a domain of its own that its profile names as its website; a file on the website does not. Leave it there: it is checked every 30 days.",
        "provedAt": "2026-11-20T09:20:41.118204Z",
        "provedBy": "code",
        "evidenceUrl": null,
        "hostAccountCreatedAt": "2014-03-02T10:00:00.000000Z",
        "checkedAt": "2026-11-20T09:20:41.118204Z",
        "checkFailedAt": null,
        "countsUntil": "2027-01-19T09:20:41.118204Z",
        "createdAt": "2026-11-20T09:14:03.482915Z"
      },
      {
        "id": "0192f3a4-6c7d-7e8f-8012-3456789abcde",
        "kind": "node_packages",
        "host": "npmjs.com",
        "handle": "example-labs",
        "state": "pending",
        "code": "trust-directory-k5jy8g2r0axe7mcnw4fu",
        "codeExpiresAt": "2026-11-21T10:02:11.700412Z",
        "instructions": "As the npm user example-labs, publish a version of a package of yours with the code in its description or keywords. Leave it there: it is checked every 30 days.",
        "provedAt": null,
        "provedBy": null,
        "evidenceUrl": null,
        "hostAccountCreatedAt": null,
        "checkedAt": null,
        "checkFailedAt": null,
        "countsUntil": null,
        "createdAt": "2026-11-20T10:02:11.700412Z"
      }
    ]
  }
} as const;

const answer150 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "data": []
  }
} as const;

const answer151 = {
  "status": 400,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "invalid_request",
    "message": "Unknown query parameter \"page\". This endpoint takes none.",
    "status": 400
  }
} as const;

const answer152 = {
  "status": 401,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "unauthorized",
    "message": "This endpoint does not accept access keys. Sign in at /sign-in, and send the session cookie.",
    "status": 401
  }
} as const;

const answer153 = {
  "status": 201,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "id": "0192f3a4-5b6c-7d8e-9f01-23456789abcd",
    "kind": "repo_host",
    "host": "github.com",
    "handle": "example-labs",
    "state": "pending",
    "code": "trust-directory-7m2qx9dk4tn6whv3bpzc",
    "codeExpiresAt": "2026-11-21T09:14:03.482915Z",
    "instructions": "Put the code into the profile text of example-labs on github.com. A person may instead put it into a file trust-directory.txt at the root of the public repository \"trust-directory\" or \"example-labs\". An organisation, group or workspace may not, since any member can write there. For one of those also counts a DNS TXT record with the code at _trust-directory.DOMAIN, where DOMAIN is a domain of its own that its profile names as its website; a file on the website does not. Leave it there: it is checked every 30 days.",
    "provedAt": null,
    "provedBy": null,
    "evidenceUrl": null,
    "hostAccountCreatedAt": null,
    "checkedAt": null,
    "checkFailedAt": null,
    "countsUntil": null,
    "createdAt": "2026-11-20T09:14:03.482915Z"
  }
} as const;

const answer154 = {
  "status": 400,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "invalid_request",
    "message": "handle is required.",
    "status": 400
  }
} as const;

const answer155 = {
  "status": 400,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "invalid_request",
    "message": "An account of the kind professional_network on linkedin.com cannot be read by this server. Name a host that it reads, or ask its operator to confirm the account.",
    "status": 400
  }
} as const;

const answer156 = {
  "status": 403,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "sign_in_again",
    "message": "You signed in more than 15 minutes ago. Sign in again, and repeat this within 15 minutes.",
    "status": 403
  }
} as const;

const answer157 = {
  "status": 204,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": null
} as const;

const answer158 = {
  "status": 400,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "invalid_request",
    "message": "id must be a UUID, such as 01a1f83b-fa57-7c41-9e0b-5d2f8a6c1e47.",
    "status": 400
  }
} as const;

const answer159 = {
  "status": 404,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "not_found",
    "message": "You have no linked account with this id.",
    "status": 404
  }
} as const;

const answer160 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "id": "0192f3a4-5b6c-7d8e-9f01-23456789abcd",
    "kind": "repo_host",
    "host": "github.com",
    "handle": "example-labs",
    "state": "proved",
    "code": "trust-directory-7m2qx9dk4tn6whv3bpzc",
    "codeExpiresAt": "2026-11-21T09:14:03.482915Z",
    "instructions": "Put the code into the profile text of example-labs on github.com. A person may instead put it into a file trust-directory.txt at the root of the public repository \"trust-directory\" or \"example-labs\". An organisation, group or workspace may not, since any member can write there. For one of those also counts a DNS TXT record with the code at _trust-directory.DOMAIN, where DOMAIN is a domain of its own that its profile names as its website; a file on the website does not. Leave it there: it is checked every 30 days.",
    "provedAt": "2026-11-20T09:20:41.118204Z",
    "provedBy": "code",
    "evidenceUrl": null,
    "hostAccountCreatedAt": "2014-03-02T10:00:00.000000Z",
    "checkedAt": "2026-11-20T09:20:41.118204Z",
    "checkFailedAt": null,
    "countsUntil": "2027-01-19T09:20:41.118204Z",
    "createdAt": "2026-11-20T09:14:03.482915Z"
  }
} as const;

const answer161 = {
  "status": 409,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "proof_not_found",
    "message": "The code was not found on github.com for example-labs. Publish it as described, wait until the host shows it, and try again.",
    "status": 409
  }
} as const;

const answer162 = {
  "status": 409,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "code_expired",
    "message": "The code has expired. Link the account again, and publish the new code within 24 hours.",
    "status": 409
  }
} as const;

const answer163 = {
  "status": 503,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Retry-After": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "unavailable",
    "message": "github.com cannot be read at present. Nothing was changed: try again later.",
    "status": 503
  }
} as const;

const answer164 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "data": [
      {
        "agent": {
          "id": "AGT-5N6TYV2H",
          "type": "agent",
          "name": "gemini-cli-lite",
          "description": "A smaller fork of the terminal agent.",
          "category": "coding",
          "tags": [],
          "kind": "agent",
          "license": "MIT",
          "creator": {
            "handle": "example-labs",
            "displayName": "Example Labs",
            "verified": false,
            "trustScore": null,
            "confidence": null
          },
          "repoHost": {
            "url": "https://github.com/example-labs/gemini-cli-lite",
            "stars": 12,
            "forks": 1
          },
          "repositoryUrl": "https://github.com/example-labs/gemini-cli-lite",
          "verified": false,
          "trustScore": 38.4,
          "confidence": 41.2,
          "tier": "low",
          "scoreVersion": "2026-11-20T09:14:03.482915Z",
          "listedAt": "2026-08-22T00:00:00.000Z",
          "updatedAt": "2026-11-20T09:14:03.482Z"
        },
        "parentId": "AGT-7K2MQ9XD",
        "relation": "fork_of",
        "acknowledgedAt": null,
        "trustEquityFlow": 22.4
      }
    ],
    "nextCursor": null
  }
} as const;

const answer165 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "data": [],
    "nextCursor": null
  }
} as const;

const answer166 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "agent": {
      "id": "AGT-5N6TYV2H",
      "type": "agent",
      "name": "gemini-cli-lite",
      "description": "A smaller fork of the terminal agent.",
      "category": "coding",
      "tags": [],
      "kind": "agent",
      "license": "MIT",
      "creator": {
        "handle": "example-labs",
        "displayName": "Example Labs",
        "verified": false,
        "trustScore": null,
        "confidence": null
      },
      "repoHost": {
        "url": "https://github.com/example-labs/gemini-cli-lite",
        "stars": 12,
        "forks": 1
      },
      "repositoryUrl": "https://github.com/example-labs/gemini-cli-lite",
      "verified": false,
      "trustScore": 38.4,
      "confidence": 41.2,
      "tier": "low",
      "scoreVersion": "2026-11-20T09:14:03.482915Z",
      "listedAt": "2026-08-22T00:00:00.000Z",
      "updatedAt": "2026-11-20T09:14:03.482Z"
    },
    "parentId": "AGT-7K2MQ9XD",
    "relation": "fork_of",
    "acknowledgedAt": "2026-11-20T09:30:12.004183Z",
    "trustEquityFlow": 44.8
  }
} as const;

const answer167 = {
  "status": 403,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "forbidden",
    "message": "Only the verified owner of github.com/google-gemini/gemini-cli can acknowledge this child. Prove the account that owns the repository first, in the console under linked accounts.",
    "status": 403
  }
} as const;

const answer168 = {
  "status": 404,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "not_found",
    "message": "AGT-5N6TYV2H does not name an agent or skill of yours as its parent.",
    "status": 404
  }
} as const;

const answer169 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "agent": {
      "id": "AGT-5N6TYV2H",
      "type": "agent",
      "name": "gemini-cli-lite",
      "description": "A smaller fork of the terminal agent.",
      "category": "coding",
      "tags": [],
      "kind": "agent",
      "license": "MIT",
      "creator": {
        "handle": "example-labs",
        "displayName": "Example Labs",
        "verified": false,
        "trustScore": null,
        "confidence": null
      },
      "repoHost": {
        "url": "https://github.com/example-labs/gemini-cli-lite",
        "stars": 12,
        "forks": 1
      },
      "repositoryUrl": "https://github.com/example-labs/gemini-cli-lite",
      "verified": false,
      "trustScore": 38.4,
      "confidence": 41.2,
      "tier": "low",
      "scoreVersion": "2026-11-20T09:14:03.482915Z",
      "listedAt": "2026-08-22T00:00:00.000Z",
      "updatedAt": "2026-11-20T09:14:03.482Z"
    },
    "parentId": "AGT-7K2MQ9XD",
    "relation": "fork_of",
    "acknowledgedAt": null,
    "trustEquityFlow": 22.4
  }
} as const;

const answer170 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "data": [
      {
        "id": "AGT-5N6TYV2H",
        "type": "agent",
        "name": "gemini-cli-lite",
        "description": "A smaller fork of the terminal agent.",
        "category": "coding",
        "tags": [],
        "kind": "agent",
        "license": "MIT",
        "creator": {
          "handle": "example-labs",
          "displayName": "Example Labs",
          "verified": false,
          "trustScore": null,
          "confidence": null
        },
        "repoHost": {
          "url": "https://github.com/example-labs/gemini-cli-lite",
          "stars": 12,
          "forks": 1
        },
        "repositoryUrl": "https://github.com/example-labs/gemini-cli-lite",
        "verified": false,
        "trustScore": 38.4,
        "confidence": 41.2,
        "tier": "low",
        "scoreVersion": "2026-11-20T09:14:03.482915Z",
        "listedAt": "2026-08-22T00:00:00.000Z",
        "updatedAt": "2026-11-20T09:14:03.482Z"
      }
    ],
    "nextCursor": null
  }
} as const;

const answer171 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "data": [
      {
        "id": "AGT-7K2MQ9XD",
        "type": "agent",
        "name": "Changelog Agent",
        "description": "Reads merged pull requests and drafts release notes.",
        "category": "coding",
        "tags": [
          "changelog",
          "releases"
        ],
        "kind": "agent",
        "license": "MIT",
        "creator": {
          "handle": "example-labs",
          "displayName": "Example Labs",
          "verified": true,
          "trustScore": 52.6,
          "confidence": 44.1
        },
        "repoHost": {
          "url": "https://github.com/example-labs/changelog-agent",
          "stars": 214,
          "forks": 19,
          "openIssues": 3
        },
        "repositoryUrl": "https://github.com/example-labs/changelog-agent",
        "verified": true,
        "trustScore": 61.5,
        "confidence": 48.2,
        "tier": "medium",
        "scoreVersion": "2026-11-20T09:14:03.482915Z",
        "listedAt": "2026-09-02T14:20:00.000Z",
        "updatedAt": "2026-11-20T09:14:03.482Z"
      }
    ],
    "nextCursor": "QUdULTdLMk1ROVhE"
  }
} as const;

const answer172 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "id": "AGT-7K2MQ9XD",
    "type": "agent",
    "name": "Changelog Agent",
    "description": "Reads merged pull requests and drafts release notes.",
    "category": "coding",
    "tags": [
      "changelog",
      "releases"
    ],
    "kind": "agent",
    "license": "MIT",
    "creator": {
      "handle": "example-labs",
      "displayName": "Example Labs",
      "verified": true,
      "trustScore": 52.6,
      "confidence": 44.1
    },
    "repoHost": {
      "url": "https://github.com/example-labs/changelog-agent",
      "stars": 214,
      "forks": 19,
      "openIssues": 3
    },
    "repositoryUrl": "https://github.com/example-labs/changelog-agent",
    "verified": true,
    "trustScore": 61.5,
    "confidence": 48.2,
    "tier": "medium",
    "scoreVersion": "2026-11-20T09:14:03.482915Z",
    "verdict": {
      "state": "verified",
      "sentence": "Some users; no activity data; owner verified; licence not known.",
      "reasons": [
        {
          "code": "used_by_some",
          "text": "some users"
        },
        {
          "code": "activity_unknown",
          "text": "no activity data"
        },
        {
          "code": "owner_verified",
          "text": "owner verified"
        },
        {
          "code": "license_unknown",
          "text": "licence not known"
        }
      ]
    },
    "listedAt": "2026-09-02T14:20:00.000Z",
    "updatedAt": "2026-11-20T09:14:03.482Z"
  }
} as const;

const answer173 = {
  "status": 404,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "not_found",
    "message": "You have no agent or skill with the id AGT-5N6TYV2H.",
    "status": 404
  }
} as const;

const answer174 = {
  "status": 429,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "0",
    "X-RateLimit-Reset": "2",
    "Retry-After": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "rate_limited",
    "message": "AGT-7K2MQ9XD was to be scored less than a minute ago, and has no newer score yet. Try again in 42 seconds.",
    "status": 429
  }
} as const;

const answer175 = {
  "status": 503,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Retry-After": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "unavailable",
    "message": "AGT-7K2MQ9XD cannot be scored at present. Its score is unchanged. Try again in a minute.",
    "status": 503
  }
} as const;

const answer176 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "account": {
      "id": "0192f3a4-0a1b-7c2d-8e3f-405162738495",
      "handle": "example-labs",
      "plan": "builder"
    },
    "opened_by": "sign_in",
    "opened_at": "2026-11-20T09:00:12.118204Z",
    "idle_until": "2026-11-20T09:44:00.214077Z",
    "expires_at": "2026-11-20T21:00:12.118204Z",
    "recent_until": "2026-11-20T09:15:12.118204Z"
  }
} as const;

const answer177 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "account": {
      "id": "0192f3a4-9f8e-7d6c-8b5a-493827160504",
      "handle": null,
      "plan": "free"
    },
    "opened_by": "sign_in",
    "opened_at": "2026-11-20T09:00:12.118204Z",
    "idle_until": "2026-11-20T09:30:12.118204Z",
    "expires_at": "2026-11-20T21:00:12.118204Z",
    "recent_until": "2026-11-20T09:15:12.118204Z"
  }
} as const;

const answer178 = {
  "status": 204,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store",
    "Set-Cookie": "sid=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0"
  },
  "body": null
} as const;

const answer179 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store",
    "Set-Cookie": "sid=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0"
  },
  "body": {
    "ended": 2
  }
} as const;

const answer180 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "plan": "builder",
    "plan_limits": {
      "active_keys": 5,
      "free_calls": 25,
      "included_credits": 2000,
      "overage_credits": 2000
    },
    "next_plan": null,
    "next_plan_from": null,
    "overage": {
      "enabled": true,
      "cap": 500
    },
    "prices": {
      "agent_score": 10,
      "skill_score": 8,
      "creator_score": 8,
      "social_account_score": 5,
      "messenger_account_score": 5,
      "agent_skill_lineage": 20
    },
    "buckets": [
      {
        "charge_source": "free",
        "unit": "call",
        "period": {
          "period_kind": "month",
          "period_start": "2026-11-01T00:00:00.000000Z",
          "period_end": "2026-12-01T00:00:00.000000Z"
        },
        "total": 25,
        "used": 25,
        "held": 0,
        "left": 0
      },
      {
        "charge_source": "gifted",
        "unit": "credit",
        "period": {
          "period_kind": "grant",
          "period_start": "2026-10-15T08:00:00.000000Z",
          "period_end": "2028-10-15T08:00:00.000000Z"
        },
        "total": 100,
        "used": 88,
        "held": 10,
        "left": 2
      },
      {
        "charge_source": "included",
        "unit": "credit",
        "period": {
          "period_kind": "month",
          "period_start": "2026-11-01T00:00:00.000000Z",
          "period_end": "2026-12-01T00:00:00.000000Z"
        },
        "total": 2000,
        "used": 410,
        "held": 0,
        "left": 1590
      },
      {
        "charge_source": "overage",
        "unit": "credit",
        "period": {
          "period_kind": "month",
          "period_start": "2026-11-01T00:00:00.000000Z",
          "period_end": "2026-12-01T00:00:00.000000Z"
        },
        "total": 500,
        "used": 0,
        "held": 0,
        "left": 500
      }
    ]
  }
} as const;

const answer181 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "plan": "free",
    "plan_limits": {
      "active_keys": 1,
      "free_calls": 25,
      "included_credits": 0,
      "overage_credits": null
    },
    "next_plan": null,
    "next_plan_from": null,
    "overage": {
      "enabled": false,
      "cap": null
    },
    "prices": {
      "agent_score": 10,
      "skill_score": 8,
      "creator_score": 8,
      "social_account_score": 5,
      "messenger_account_score": 5,
      "agent_skill_lineage": 20
    },
    "buckets": [
      {
        "charge_source": "free",
        "unit": "call",
        "period": {
          "period_kind": "month",
          "period_start": "2026-11-01T00:00:00.000000Z",
          "period_end": "2026-12-01T00:00:00.000000Z"
        },
        "total": 25,
        "used": 3,
        "held": 0,
        "left": 22
      }
    ]
  }
} as const;

const answer182 = {
  "status": 400,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "invalid_request",
    "message": "The free plan has no overage. Plans that have it: builder, pro, enterprise.",
    "status": 400
  }
} as const;

const answer183 = {
  "status": 400,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "invalid_request",
    "message": "The cap of overage must be a whole number of credits from 1 to 2000, which is the cap of the builder plan.",
    "status": 400
  }
} as const;

const answer184 = {
  "status": 400,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "invalid_request",
    "message": "enabled is required.",
    "status": 400
  }
} as const;

const answer185 = {
  "status": 400,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "invalid_request",
    "message": "handle may have letters, digits, dots, hyphens and underscores, 100 at most, and begins and ends with a letter or digit.",
    "status": 400
  }
} as const;

const answer186 = {
  "status": 400,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "invalid_request",
    "message": "The handle admin is reserved. Choose another.",
    "status": 400
  }
} as const;

const answer187 = {
  "status": 409,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "handle_taken",
    "message": "The handle example-labs belongs to an account, creator or repository owner here. Choose another, or prove that account first.",
    "status": 409
  }
} as const;

const answer188 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "data": [
      {
        "id": "0192f3a5-1c2d-7e3f-9a4b-5c6d7e8f9a0b",
        "name": "nightly job",
        "last_four": "k3Wd",
        "scopes": [
          "scores:read",
          "lineage:read"
        ],
        "state": "active",
        "created_at": "2026-11-20T09:05:44.903122Z",
        "expires_at": "2027-11-20T00:00:00.000000Z",
        "last_used_at": null
      },
      {
        "id": "3d0f5a76-71c4-4a3e-9d0b-0c8f6a1b2e55",
        "name": "ci",
        "last_four": "7Qx2",
        "scopes": [
          "scores:read"
        ],
        "state": "inactive",
        "created_at": "2026-10-02T08:30:11.204518Z",
        "expires_at": null,
        "last_used_at": "2026-11-19T23:10:00.000000Z"
      },
      {
        "id": "2b1c0d9e-8f7a-4b6c-95d4-e3f2a1b0c9d8",
        "name": "trial",
        "last_four": "Zp09",
        "scopes": [
          "agents:register"
        ],
        "state": "expired",
        "created_at": "2026-09-01T10:00:00.114207Z",
        "expires_at": "2026-10-01T00:00:00.000000Z",
        "last_used_at": "2026-09-12T14:41:00.000000Z"
      },
      {
        "id": "1a0b9c8d-7e6f-4a5b-84c3-d2e1f0a9b8c7",
        "name": "first key",
        "last_four": "mN4t",
        "scopes": [
          "scores:read",
          "lineage:read",
          "agents:register"
        ],
        "state": "revoked",
        "created_at": "2026-08-15T16:20:31.550918Z",
        "expires_at": null,
        "last_used_at": "2026-08-30T07:02:00.000000Z"
      }
    ],
    "nextCursor": null,
    "active_keys": 1,
    "active_key_limit": 5
  }
} as const;

const answer189 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "data": [
      {
        "id": "0192f3a5-1c2d-7e3f-9a4b-5c6d7e8f9a0b",
        "name": "nightly job",
        "last_four": "k3Wd",
        "scopes": [
          "scores:read",
          "lineage:read"
        ],
        "state": "active",
        "created_at": "2026-11-20T09:05:44.903122Z",
        "expires_at": "2027-11-20T00:00:00.000000Z",
        "last_used_at": null
      }
    ],
    "nextCursor": "eyJiZWZvcmUiOiIwMTkyZjNhNS0xYzJkLTdlM2YtOWE0Yi01YzZkN2U4ZjlhMGIifQ",
    "active_keys": 1,
    "active_key_limit": 5
  }
} as const;

const answer190 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "data": [],
    "nextCursor": null,
    "active_keys": 0,
    "active_key_limit": 1
  }
} as const;

const answer191 = {
  "status": 400,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "invalid_request",
    "message": "Unknown query parameter \"page\". Allowed: state, limit, cursor.",
    "status": 400
  }
} as const;

const answer192 = {
  "status": 400,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "invalid_request",
    "message": "state must be one of: active, inactive, expired, revoked.",
    "status": 400
  }
} as const;

const answer193 = {
  "status": 201,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "key": {
      "id": "0192f3a5-1c2d-7e3f-9a4b-5c6d7e8f9a0b",
      "name": "nightly job",
      "last_four": "k3Wd",
      "scopes": [
        "scores:read",
        "lineage:read"
      ],
      "state": "active",
      "created_at": "2026-11-20T09:05:44.903122Z",
      "expires_at": "2027-11-20T00:00:00.000000Z",
      "last_used_at": null
    },
    "secret": "svc_live_EXAMPLEexampleEXAMPLEexampleEXAM00k3Wd"
  }
} as const;

const answer194 = {
  "status": 400,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "invalid_request",
    "message": "A key has one or more of: scores:read, lineage:read, agents:register, balance:read.",
    "status": 400
  }
} as const;

const answer195 = {
  "status": 400,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "invalid_request",
    "message": "A key expires at a moment in the future and before the year 10000 (UTC), written as ISO 8601 with its zone.",
    "status": 400
  }
} as const;

const answer196 = {
  "status": 400,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "invalid_request",
    "message": "The key to be replaced must be an active or paused key of the same account. Create a key without replacing one.",
    "status": 400
  }
} as const;

const answer197 = {
  "status": 409,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "key_limit_reached",
    "message": "The free plan has one active key. Revoke a key first.",
    "status": 409
  }
} as const;

const answer198 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "id": "3d0f5a76-71c4-4a3e-9d0b-0c8f6a1b2e55",
    "name": "nightly job",
    "last_four": "7Qx2",
    "scopes": [
      "scores:read",
      "lineage:read"
    ],
    "state": "revoked",
    "created_at": "2026-10-02T08:30:11.204518Z",
    "expires_at": "2027-10-01T00:00:00.000000Z",
    "last_used_at": "2026-11-20T09:14:00.000000Z"
  }
} as const;

const answer199 = {
  "status": 404,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "not_found",
    "message": "Your account has no access key with this id.",
    "status": 404
  }
} as const;

const answer200 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "id": "3d0f5a76-71c4-4a3e-9d0b-0c8f6a1b2e55",
    "name": "nightly job",
    "last_four": "7Qx2",
    "scopes": [
      "scores:read",
      "balance:read"
    ],
    "state": "active",
    "created_at": "2026-10-02T08:15:42.081225Z",
    "expires_at": null,
    "last_used_at": "2026-11-21T09:12:00.000000Z",
    "monthly_calls": 100,
    "monthly_credits": null
  }
} as const;

const answer201 = {
  "status": 400,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "invalid_request",
    "message": "monthly_credits is required.",
    "status": 400
  }
} as const;

const answer202 = {
  "status": 400,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "invalid_request",
    "message": "monthly_calls must be at least 0.",
    "status": 400
  }
} as const;

const answer203 = {
  "status": 400,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "invalid_request",
    "message": "The access key was revoked, which is final. Create a new one.",
    "status": 400
  }
} as const;

const answer204 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "id": "3d0f5a76-71c4-4a3e-9d0b-0c8f6a1b2e55",
    "name": "nightly job",
    "last_four": "7Qx2",
    "scopes": [
      "scores:read",
      "lineage:read"
    ],
    "state": "inactive",
    "created_at": "2026-10-02T08:30:11.204518Z",
    "expires_at": "2027-10-01T00:00:00.000000Z",
    "last_used_at": "2026-11-20T09:14:00.000000Z"
  }
} as const;

const answer205 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "id": "3d0f5a76-71c4-4a3e-9d0b-0c8f6a1b2e55",
    "name": "nightly job",
    "last_four": "7Qx2",
    "scopes": [
      "scores:read",
      "lineage:read"
    ],
    "state": "active",
    "created_at": "2026-10-02T08:30:11.204518Z",
    "expires_at": "2027-10-01T00:00:00.000000Z",
    "last_used_at": "2026-11-20T09:14:00.000000Z"
  }
} as const;

const answer206 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "data": [
      {
        "day": "2026-11-20",
        "operation": "agent_score",
        "api_key_id": "3d0f5a76-71c4-4a3e-9d0b-0c8f6a1b2e55",
        "api_key_name": "ci",
        "charge_source": "included",
        "period": {
          "period_kind": "month",
          "period_start": "2026-11-01T00:00:00.000000Z",
          "period_end": "2026-12-01T00:00:00.000000Z"
        },
        "unit": "credit",
        "settled_calls": 41,
        "failed_calls": 1,
        "held_calls": 0,
        "used": 410,
        "held": 0
      },
      {
        "day": "2026-11-20",
        "operation": "skill_score",
        "api_key_id": null,
        "api_key_name": null,
        "charge_source": "free",
        "period": {
          "period_kind": "month",
          "period_start": "2026-11-01T00:00:00.000000Z",
          "period_end": "2026-12-01T00:00:00.000000Z"
        },
        "unit": "call",
        "settled_calls": 3,
        "failed_calls": 0,
        "held_calls": 0,
        "used": 3,
        "held": 0
      },
      {
        "day": "2026-11-19",
        "operation": "agent_skill_lineage",
        "api_key_id": "3d0f5a76-71c4-4a3e-9d0b-0c8f6a1b2e55",
        "api_key_name": "ci",
        "charge_source": "free",
        "period": {
          "period_kind": "month",
          "period_start": "2026-11-01T00:00:00.000000Z",
          "period_end": "2026-12-01T00:00:00.000000Z"
        },
        "unit": "call",
        "settled_calls": 22,
        "failed_calls": 0,
        "held_calls": 0,
        "used": 22,
        "held": 0
      }
    ],
    "nextCursor": null
  }
} as const;

const answer207 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "data": [
      {
        "day": "2026-11-20",
        "operation": "agent_score",
        "api_key_id": "3d0f5a76-71c4-4a3e-9d0b-0c8f6a1b2e55",
        "api_key_name": "ci",
        "charge_source": "included",
        "period": {
          "period_kind": "month",
          "period_start": "2026-11-01T00:00:00.000000Z",
          "period_end": "2026-12-01T00:00:00.000000Z"
        },
        "unit": "credit",
        "settled_calls": 41,
        "failed_calls": 1,
        "held_calls": 0,
        "used": 410,
        "held": 0
      }
    ],
    "nextCursor": "WyIyMDI2LTExLTIwIiwiYWdlbnRfc2NvcmUiLDQxLCIzZDBmNWE3Ni03MWM0LTRhM2UtOWQwYi0wYzhmNmExYjJlNTUiXQ"
  }
} as const;

const answer208 = {
  "status": 400,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "invalid_request",
    "message": "Unknown query parameter \"page\". Allowed: from, to, operation, api_key_id, source, limit, cursor.",
    "status": 400
  }
} as const;

const answer209 = {
  "status": 400,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "invalid_request",
    "message": "from is a day of the calendar, written as 2026-11-21.",
    "status": 400
  }
} as const;

const answer210 = {
  "status": 400,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "invalid_request",
    "message": "from must not be after to: both days are included.",
    "status": 400
  }
} as const;

const answer211 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store",
    "Content-Disposition": "attachment; filename=\"usage-from-2026-11-01.csv\"",
    "Content-Type": "text/csv"
  },
  "body": "day,operation,api_key_id,api_key_name,charge_source,period_start,period_end,unit,settled_calls,failed_calls,held_calls,used,held\r\n2026-11-20,agent_score,3d0f5a76-71c4-4a3e-9d0b-0c8f6a1b2e55,\"nightly job\",included,2026-11-01T00:00:00.000000Z,2026-12-01T00:00:00.000000Z,credit,41,1,0,410,0\r\n2026-11-20,skill_score,,,free,2026-11-01T00:00:00.000000Z,2026-12-01T00:00:00.000000Z,call,3,0,0,3,0\r\n"
} as const;

const answer212 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store",
    "Content-Disposition": "attachment; filename=\"usage-from-2026-11-01.csv\"",
    "Content-Type": "text/csv"
  },
  "body": "day,operation,api_key_id,api_key_name,charge_source,period_start,period_end,unit,settled_calls,failed_calls,held_calls,used,held\r\n"
} as const;

const answer213 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "plan": "free",
    "plan_limits": {
      "active_keys": 1,
      "free_calls": 25,
      "included_credits": 0,
      "overage_credits": null
    },
    "next_plan": null,
    "next_plan_from": null,
    "overage": {
      "enabled": false,
      "cap": null
    },
    "prices": {
      "agent_score": 10,
      "skill_score": 8,
      "creator_score": 8,
      "social_account_score": 5,
      "messenger_account_score": 5,
      "agent_skill_lineage": 20
    },
    "buckets": [
      {
        "charge_source": "free",
        "unit": "call",
        "period": {
          "period_kind": "month",
          "period_start": "2026-11-01T00:00:00.000000Z",
          "period_end": "2026-12-01T00:00:00.000000Z"
        },
        "total": 25,
        "used": 6,
        "held": 0,
        "left": 19
      }
    ],
    "access_key": {
      "id": "3d0f5a76-71c4-4a3e-9d0b-0c8f6a1b2e55",
      "limits": [
        {
          "unit": "call",
          "total": 10,
          "used": 4,
          "left": 6
        }
      ],
      "period": {
        "period_kind": "month",
        "period_start": "2026-11-01T00:00:00.000000Z",
        "period_end": "2026-12-01T00:00:00.000000Z"
      }
    }
  }
} as const;

const answer214 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "plan": "free",
    "plan_limits": {
      "active_keys": 1,
      "free_calls": 25,
      "included_credits": 0,
      "overage_credits": null
    },
    "next_plan": null,
    "next_plan_from": null,
    "overage": {
      "enabled": false,
      "cap": null
    },
    "prices": {
      "agent_score": 10,
      "skill_score": 8,
      "creator_score": 8,
      "social_account_score": 5,
      "messenger_account_score": 5,
      "agent_skill_lineage": 20
    },
    "buckets": [],
    "access_key": null
  }
} as const;

const answer215 = {
  "status": 403,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "forbidden",
    "message": "The access key lacks the scope balance:read. Create one that has it.",
    "status": 403
  }
} as const;

const answer216 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "data": [
      {
        "ledger_id": "01a1f83c-1b90-7a2e-8c57-93e1d04bf6a8",
        "state": "failed",
        "attempt": 1,
        "idempotency_key": "5e1d1c1e-agent-0002",
        "operation": "agent_score",
        "subject": {
          "canonical_id": "b6f0a1de-52c7-4e0a-9c2b-7d41f0e35a88",
          "type": "agent",
          "name": "Changelog Agent",
          "repository": "example-labs/changelog-agent",
          "public_path": "/a/example-labs/changelog-agent",
          "agent_id": "AGT-5N6TYV2H"
        },
        "price_credits": 10,
        "amount": 10,
        "charged": 0,
        "unit": "credit",
        "charge_source": "purchased",
        "period": {
          "period_kind": "grant",
          "period_start": "2026-10-15T08:00:00.000000Z",
          "period_end": "2028-10-15T08:00:00.000000Z"
        },
        "key_id": null,
        "score_version": null,
        "failure": "scoring_timed_out",
        "created_at": "2026-11-20T09:14:11.984102Z",
        "ended_at": "2026-11-20T09:14:31.990417Z"
      },
      {
        "ledger_id": "01a1f83b-fa57-7c41-9e0b-5d2f8a6c1e47",
        "state": "settled",
        "attempt": 1,
        "idempotency_key": "5e1d1c1e-agent-0001",
        "operation": "agent_score",
        "subject": {
          "canonical_id": "b6f0a1de-52c7-4e0a-9c2b-7d41f0e35a88",
          "type": "agent",
          "name": "Changelog Agent",
          "repository": "example-labs/changelog-agent",
          "public_path": "/a/example-labs/changelog-agent",
          "agent_id": "AGT-5N6TYV2H"
        },
        "price_credits": 10,
        "amount": 1,
        "charged": 1,
        "unit": "call",
        "charge_source": "free",
        "period": {
          "period_kind": "month",
          "period_start": "2026-11-01T00:00:00.000000Z",
          "period_end": "2026-12-01T00:00:00.000000Z"
        },
        "key_id": "3d0f5a76-71c4-4a3e-9d0b-0c8f6a1b2e55",
        "score_version": "2026-11-20T09:14:03.482915Z",
        "failure": null,
        "created_at": "2026-11-20T09:14:03.460218Z",
        "ended_at": "2026-11-20T09:14:03.482931Z"
      }
    ],
    "nextCursor": "WyIyMDI2LTExLTIwVDA5OjE0OjAzLjQ2MDIxOFoiLCIwMWExZjgzYi1mYTU3LTdjNDEtOWUwYi01ZDJmOGE2YzFlNDciXQ"
  }
} as const;

const answer217 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "data": [
      {
        "ledger_id": "01a1f83b-fa57-7c41-9e0b-5d2f8a6c1e47",
        "state": "settled",
        "attempt": 1,
        "idempotency_key": "5e1d1c1e-agent-0001",
        "operation": "agent_score",
        "subject": {
          "canonical_id": "b6f0a1de-52c7-4e0a-9c2b-7d41f0e35a88",
          "type": "agent",
          "name": "Changelog Agent",
          "repository": "example-labs/changelog-agent",
          "public_path": "/a/example-labs/changelog-agent",
          "agent_id": "AGT-5N6TYV2H"
        },
        "price_credits": 10,
        "amount": 1,
        "charged": 1,
        "unit": "call",
        "charge_source": "free",
        "period": {
          "period_kind": "month",
          "period_start": "2026-11-01T00:00:00.000000Z",
          "period_end": "2026-12-01T00:00:00.000000Z"
        },
        "key_id": "3d0f5a76-71c4-4a3e-9d0b-0c8f6a1b2e55",
        "score_version": "2026-11-20T09:14:03.482915Z",
        "failure": null,
        "created_at": "2026-11-20T09:14:03.460218Z",
        "ended_at": "2026-11-20T09:14:03.482931Z"
      }
    ],
    "nextCursor": null
  }
} as const;

const answer218 = {
  "status": 400,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "invalid_request",
    "message": "state must be one of: reserved, settled, failed.",
    "status": 400
  }
} as const;

const answer219 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "ledger_id": "01a1f83b-fa57-7c41-9e0b-5d2f8a6c1e47",
    "state": "settled",
    "attempt": 1,
    "idempotency_key": "5e1d1c1e-agent-0001",
    "operation": "agent_score",
    "subject": {
      "canonical_id": "b6f0a1de-52c7-4e0a-9c2b-7d41f0e35a88",
      "type": "agent",
      "name": "Changelog Agent",
      "repository": "example-labs/changelog-agent",
      "public_path": "/a/example-labs/changelog-agent",
      "agent_id": "AGT-5N6TYV2H"
    },
    "price_credits": 10,
    "amount": 1,
    "charged": 1,
    "unit": "call",
    "charge_source": "free",
    "period": {
      "period_kind": "month",
      "period_start": "2026-11-01T00:00:00.000000Z",
      "period_end": "2026-12-01T00:00:00.000000Z"
    },
    "key_id": "3d0f5a76-71c4-4a3e-9d0b-0c8f6a1b2e55",
    "score_version": "2026-11-20T09:14:03.482915Z",
    "signature_sha256": "874b462da1d3b8f8c8817b6b0722e7b86972505a85113d0bebdd8efe8a98de2f",
    "failure": null,
    "created_at": "2026-11-20T09:14:03.460218Z",
    "ended_at": "2026-11-20T09:14:03.482931Z"
  }
} as const;

const answer220 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "ledger_id": "01a1f83c-1b90-7a2e-8c57-93e1d04bf6a8",
    "state": "failed",
    "attempt": 1,
    "idempotency_key": "5e1d1c1e-agent-0002",
    "operation": "agent_score",
    "subject": {
      "canonical_id": "b6f0a1de-52c7-4e0a-9c2b-7d41f0e35a88",
      "type": "agent",
      "name": "Changelog Agent",
      "repository": "example-labs/changelog-agent",
      "public_path": "/a/example-labs/changelog-agent",
      "agent_id": "AGT-5N6TYV2H"
    },
    "price_credits": 10,
    "amount": 10,
    "charged": 0,
    "unit": "credit",
    "charge_source": "purchased",
    "period": {
      "period_kind": "grant",
      "period_start": "2026-10-15T08:00:00.000000Z",
      "period_end": "2028-10-15T08:00:00.000000Z"
    },
    "key_id": null,
    "score_version": null,
    "signature_sha256": null,
    "failure": "scoring_timed_out",
    "created_at": "2026-11-20T09:14:11.984102Z",
    "ended_at": "2026-11-20T09:14:31.990417Z"
  }
} as const;

const answer221 = {
  "status": 200,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "ledger_id": "01a1f83d-52c4-7d18-a6f0-2b9c41e7d305",
    "state": "reserved",
    "attempt": 2,
    "idempotency_key": "5e1d1c1e-agent-0002",
    "operation": "agent_score",
    "subject": {
      "canonical_id": "b6f0a1de-52c7-4e0a-9c2b-7d41f0e35a88",
      "type": "agent",
      "name": "Changelog Agent",
      "repository": "example-labs/changelog-agent",
      "public_path": "/a/example-labs/changelog-agent",
      "agent_id": "AGT-5N6TYV2H"
    },
    "price_credits": 10,
    "amount": 10,
    "charged": 0,
    "unit": "credit",
    "charge_source": "purchased",
    "period": {
      "period_kind": "grant",
      "period_start": "2026-10-15T08:00:00.000000Z",
      "period_end": "2028-10-15T08:00:00.000000Z"
    },
    "key_id": "3d0f5a76-71c4-4a3e-9d0b-0c8f6a1b2e55",
    "score_version": null,
    "signature_sha256": null,
    "failure": null,
    "created_at": "2026-11-20T09:15:31.652770Z",
    "ended_at": null
  }
} as const;

const answer222 = {
  "status": 400,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "invalid_request",
    "message": "ledger_id must be a UUID, such as 01a1f83b-fa57-7c41-9e0b-5d2f8a6c1e47.",
    "status": 400
  }
} as const;

const answer223 = {
  "status": 404,
  "headers": {
    "X-Request-Id": "0b8f6a52-9d0e-4c1b-8f43-2f6f0b7f6d10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "119",
    "X-RateLimit-Reset": "2",
    "Cache-Control": "no-store"
  },
  "body": {
    "error": "not_found",
    "message": "Your account has no receipt 01a1f83b-fa57-7c41-9e0b-5d2f8a6c1e48.",
    "status": 404
  }
} as const;

export const examples: ContractExamples = {
  listAgents: {
    'with_next_page': answer0,
    'last_page': answer1,
    'broad_search': answer2,
    'with_facets': answer3,
    'empty': answer4,
    'not_modified': answer5,
    'limit_out_of_range': answer6,
    'unknown_parameter': answer7,
    'unknown_category': answer8,
    'foreign_cursor': answer9,
    'per_address': answer10,
    'internal_error': answer11,
    'unavailable': answer12,
  },
  getAgent: {
    'unverified_creator': answer13,
    'verified_creator': answer14,
    'no_repository_metrics': answer15,
    'partly_known_metrics': answer16,
    'not_scored_yet': answer17,
    'container': answer18,
    'not_modified': answer5,
    'malformed_id': answer19,
    'unknown_id': answer20,
    'delisted': answer21,
    'per_address': answer10,
    'internal_error': answer11,
    'unavailable': answer12,
  },
  getAgentLineage: {
    'with_descendant': answer22,
    'with_ancestor': answer23,
    'alone': answer24,
    'not_modified': answer5,
    'malformed_id': answer19,
    'unknown_id': answer20,
    'delisted': answer21,
    'per_address': answer10,
    'internal_error': answer11,
    'unavailable': answer12,
  },
  getIdentity: {
    'verified': answer25,
    'unverified_without_score': answer26,
    'not_modified': answer5,
    'malformed_handle': answer27,
    'unknown_handle': answer28,
    'per_address': answer10,
    'internal_error': answer11,
    'unavailable': answer12,
  },
  lookupSubject: {
    'agent': answer29,
    'part_of_a_repository': answer30,
    'package_version': answer31,
    'account': answer32,
    'not_scored_yet': answer33,
    'not_modified': answer5,
    'subject_missing': answer34,
    'unknown_type': answer35,
    'unknown_subject': answer36,
    'subject_ambiguous': answer37,
    'delisted': answer21,
    'per_address': answer10,
    'internal_error': answer11,
    'unavailable': answer12,
  },
  getSubject: {
    'agent': answer29,
    'part_of_a_repository': answer30,
    'package_version': answer31,
    'account': answer32,
    'not_scored_yet': answer33,
    'not_modified': answer5,
    'malformed_id': answer38,
    'unknown_subject': answer36,
    'delisted': answer21,
    'per_address': answer10,
    'internal_error': answer11,
    'unavailable': answer12,
  },
  getScoreSignature: {
    'skill': answer39,
    'not_modified': answer5,
    'malformed_id': answer38,
    'unknown_subject': answer36,
    'without_score': answer40,
    'unsigned': answer41,
    'delisted': answer21,
    'per_address': answer10,
    'internal_error': answer11,
    'unavailable': answer12,
  },
  listSigningKeys: {
    'one_key': answer42,
    'unsigned': answer43,
    'not_modified': answer5,
    'unknown_parameter': answer44,
    'per_address': answer10,
    'internal_error': answer11,
    'unavailable': answer12,
  },
  lookupSubjects: {
    'lock_file': answer45,
    'any_form': answer46,
    'subjects_missing': answer47,
    'too_many': answer48,
    'unknown_type': answer49,
    'too_large': answer50,
    'not_json': answer51,
    'per_address': answer10,
    'internal_error': answer11,
    'unavailable': answer12,
  },
  explainScore: {
    'current_score': answer52,
    'capped_score': answer53,
    'score_of_a_backend': answer54,
    'not_scored_yet': answer55,
    'container': answer56,
    'old_name': answer57,
    'not_modified': answer5,
    'malformed_id': answer38,
    'malformed_time': answer58,
    'unknown_subject': answer36,
    'no_score_then': answer59,
    'no_score_yet': answer60,
    'delisted': answer21,
    'per_address': answer10,
    'internal_error': answer11,
    'unavailable': answer12,
  },
  listScoreHistory: {
    'with_next_page': answer61,
    'last_page': answer62,
    'empty': answer63,
    'not_modified': answer5,
    'malformed_id': answer38,
    'limit_out_of_range': answer6,
    'foreign_cursor': answer9,
    'unknown_subject': answer36,
    'delisted': answer21,
    'per_address': answer10,
    'internal_error': answer11,
    'unavailable': answer12,
  },
  compareScores: {
    'changed': answer64,
    'unchanged': answer65,
    'scores_of_a_backend': answer66,
    'not_modified': answer5,
    'malformed_id': answer38,
    'malformed_time': answer67,
    'times_reversed': answer68,
    'unknown_subject': answer36,
    'no_score_then': answer59,
    'no_score_yet': answer60,
    'delisted': answer21,
    'per_address': answer10,
    'internal_error': answer11,
    'unavailable': answer12,
  },
  getPackage: {
    'affected': answer69,
    'not_affected': answer70,
    'missing': answer71,
    'unknown': answer72,
    'not_modified': answer5,
    'malformed_package': answer73,
    'malformed_version': answer74,
    'per_address': answer10,
    'internal_error': answer11,
    'unavailable': answer12,
  },
  listChanges: {
    'with_next_page': answer75,
    'creator': answer76,
    'nothing_new': answer77,
    'not_modified': answer5,
    'foreign_cursor': answer78,
    'unknown_kind': answer79,
    'expired': answer80,
    'per_address': answer10,
    'internal_error': answer11,
    'unavailable': answer12,
  },
  registerAgent: {
    'taken_over': answer81,
    'registered': answer82,
    'missing_field': answer83,
    'not_json': answer84,
    'description_too_long': answer85,
    'host_not_allowed': answer86,
    'unknown_parent': answer87,
    'missing': answer88,
    'malformed_or_unknown': answer89,
    'expired': answer90,
    'revoked': answer91,
    'paused': answer92,
    'account_suspended': answer93,
    'session_ended': answer94,
    'missing_scope': answer95,
    'no_handle': answer96,
    'foreign_origin': answer97,
    'already_registered': answer98,
    'delisted': answer99,
    'too_large': answer100,
    'not_json_415': answer51,
    'idempotency_key_reused': answer101,
    'per_key': answer10,
    'failed_credentials': answer102,
    'internal_error': answer11,
    'unavailable': answer12,
  },
  runOperation: {
    'agent_score': answer103,
    'skill_score': answer104,
    'creator_score': answer105,
    'social_account_score': answer106,
    'messenger_account_score': answer107,
    'agent_skill_lineage': answer108,
    'replay': answer109,
    'dry_run': answer110,
    'included': answer111,
    'partial': answer112,
    'unscored_creator': answer113,
    'missing_field': answer114,
    'unknown_field': answer115,
    'invalid_json': answer116,
    'invalid_channel': answer117,
    'invalid_operation': answer118,
    'missing': answer119,
    'malformed_or_unknown': answer120,
    'expired': answer121,
    'revoked': answer122,
    'key_inactive': answer123,
    'account_suspended': answer124,
    'session_ended': answer125,
    'insufficient_credits': answer126,
    'key_limit_exceeded': answer127,
    'overage_is_off': answer128,
    'insufficient_scope': answer129,
    'key_mismatch': answer130,
    'key_inactive_403': answer131,
    'foreign_key': answer132,
    'csrf_failed': answer133,
    'subject_not_found': answer134,
    'other_type': answer135,
    'subject_delisted': answer136,
    'subject_ambiguous': answer137,
    'idempotency_in_progress': answer138,
    'too_large': answer139,
    'not_json': answer140,
    'idempotency_key_reused': answer141,
    'per_account': answer142,
    'failed_credentials': answer143,
    'too_many_attempts': answer144,
    'internal_error': answer145,
    'mcp_not_available': answer146,
    'scoring_failed': answer147,
    'unavailable': answer148,
  },
  listLinkedAccounts: {
    'proved_and_pending': answer149,
    'none': answer150,
    'unknown_parameter': answer151,
    'foreign_cursor': answer9,
    'session_ended': answer94,
    'key_not_taken': answer152,
    'per_session': answer10,
    'internal_error': answer11,
    'unavailable': answer12,
  },
  linkAccount: {
    'linked': answer153,
    'missing_field': answer154,
    'unreadable_host': answer155,
    'session_ended': answer94,
    'key_not_taken': answer152,
    'sign_in_again': answer156,
    'foreign_origin': answer97,
    'too_large': answer100,
    'not_json': answer51,
    'per_session': answer10,
    'internal_error': answer11,
    'unavailable': answer12,
  },
  removeLinkedAccount: {
    'no_content': answer157,
    'malformed_id': answer158,
    'session_ended': answer94,
    'key_not_taken': answer152,
    'sign_in_again': answer156,
    'foreign_origin': answer97,
    'unknown_id': answer159,
    'per_session': answer10,
    'internal_error': answer11,
    'unavailable': answer12,
  },
  verifyLinkedAccount: {
    'proved': answer160,
    'malformed_id': answer158,
    'session_ended': answer94,
    'key_not_taken': answer152,
    'sign_in_again': answer156,
    'foreign_origin': answer97,
    'unknown_id': answer159,
    'code_not_published': answer161,
    'code_expired': answer162,
    'per_session': answer10,
    'internal_error': answer11,
    'host_away': answer163,
    'unavailable': answer12,
  },
  listChildren: {
    'one_waiting': answer164,
    'none': answer165,
    'unknown_parameter': answer151,
    'foreign_cursor': answer9,
    'session_ended': answer94,
    'key_not_taken': answer152,
    'per_session': answer10,
    'internal_error': answer11,
    'unavailable': answer12,
  },
  acknowledgeChild: {
    'acknowledged': answer166,
    'malformed_id': answer19,
    'session_ended': answer94,
    'key_not_taken': answer152,
    'unverified_creator': answer167,
    'foreign_origin': answer97,
    'not_a_child': answer168,
    'per_session': answer10,
    'internal_error': answer11,
    'unavailable': answer12,
  },
  withdrawAcknowledgement: {
    'withdrawn': answer169,
    'malformed_id': answer19,
    'session_ended': answer94,
    'key_not_taken': answer152,
    'unverified_creator': answer167,
    'foreign_origin': answer97,
    'not_a_child': answer168,
    'per_session': answer10,
    'internal_error': answer11,
    'unavailable': answer12,
  },
  listOwnAgents: {
    'last_page': answer170,
    'with_next_page': answer171,
    'none': answer165,
    'unknown_parameter': answer151,
    'foreign_cursor': answer9,
    'session_ended': answer94,
    'key_not_taken': answer152,
    'per_session': answer10,
    'internal_error': answer11,
    'unavailable': answer12,
  },
  refreshScore: {
    'scored': answer172,
    'malformed_id': answer19,
    'session_ended': answer94,
    'key_not_taken': answer152,
    'foreign_origin': answer97,
    'not_yours': answer173,
    'per_session': answer10,
    'just_asked': answer174,
    'internal_error': answer11,
    'not_scored': answer175,
    'unavailable': answer12,
  },
  getSession: {
    'signed_in': answer176,
    'no_handle_yet': answer177,
    'unknown_parameter': answer151,
    'foreign_cursor': answer9,
    'session_ended': answer94,
    'key_not_taken': answer152,
    'per_session': answer10,
    'internal_error': answer11,
    'unavailable': answer12,
  },
  signOut: {
    'no_content': answer178,
    'unknown_parameter': answer151,
    'foreign_cursor': answer9,
    'session_ended': answer94,
    'key_not_taken': answer152,
    'foreign_origin': answer97,
    'per_session': answer10,
    'internal_error': answer11,
    'unavailable': answer12,
  },
  signOutEverywhere: {
    'two_browsers': answer179,
    'unknown_parameter': answer151,
    'foreign_cursor': answer9,
    'session_ended': answer94,
    'key_not_taken': answer152,
    'foreign_origin': answer97,
    'per_session': answer10,
    'internal_error': answer11,
    'unavailable': answer12,
  },
  getBalance: {
    'builder': answer180,
    'free': answer181,
    'unknown_parameter': answer151,
    'foreign_cursor': answer9,
    'session_ended': answer94,
    'key_not_taken': answer152,
    'per_session': answer10,
    'internal_error': answer11,
    'unavailable': answer12,
  },
  setOverage: {
    'opted_in': answer180,
    'no_overage': answer182,
    'beyond_the_plan': answer183,
    'missing_field': answer184,
    'session_ended': answer94,
    'key_not_taken': answer152,
    'sign_in_again': answer156,
    'foreign_origin': answer97,
    'too_large': answer100,
    'not_json': answer51,
    'per_session': answer10,
    'internal_error': answer11,
    'unavailable': answer12,
  },
  setHandle: {
    'signed_in': answer176,
    'malformed': answer185,
    'kept': answer186,
    'session_ended': answer94,
    'key_not_taken': answer152,
    'sign_in_again': answer156,
    'foreign_origin': answer97,
    'taken': answer187,
    'too_large': answer100,
    'not_json': answer51,
    'per_session': answer10,
    'internal_error': answer11,
    'unavailable': answer12,
  },
  listKeys: {
    'last_page': answer188,
    'with_next_page': answer189,
    'none': answer190,
    'unknown_parameter': answer191,
    'unknown_state': answer192,
    'foreign_cursor': answer9,
    'session_ended': answer94,
    'key_not_taken': answer152,
    'per_session': answer10,
    'internal_error': answer11,
    'unavailable': answer12,
  },
  createKey: {
    'created': answer193,
    'no_scopes': answer194,
    'past_expiry': answer195,
    'not_replaceable': answer196,
    'session_ended': answer94,
    'key_not_taken': answer152,
    'sign_in_again': answer156,
    'foreign_origin': answer97,
    'no_free_slot': answer197,
    'too_large': answer100,
    'not_json': answer51,
    'per_session': answer10,
    'internal_error': answer11,
    'unavailable': answer12,
  },
  revokeKey: {
    'revoked': answer198,
    'malformed_id': answer158,
    'session_ended': answer94,
    'key_not_taken': answer152,
    'foreign_origin': answer97,
    'unknown_id': answer199,
    'per_session': answer10,
    'internal_error': answer11,
    'unavailable': answer12,
  },
  setKeyLimits: {
    'limited': answer200,
    'missing_field': answer201,
    'negative': answer202,
    'revoked': answer203,
    'session_ended': answer94,
    'key_not_taken': answer152,
    'foreign_origin': answer97,
    'unknown_id': answer199,
    'too_large': answer100,
    'not_json': answer51,
    'per_session': answer10,
    'internal_error': answer11,
    'unavailable': answer12,
  },
  pauseKey: {
    'paused': answer204,
    'revoked': answer203,
    'malformed_id': answer158,
    'session_ended': answer94,
    'key_not_taken': answer152,
    'foreign_origin': answer97,
    'unknown_id': answer199,
    'per_session': answer10,
    'internal_error': answer11,
    'unavailable': answer12,
  },
  resumeKey: {
    'resumed': answer205,
    'revoked': answer203,
    'malformed_id': answer158,
    'session_ended': answer94,
    'key_not_taken': answer152,
    'foreign_origin': answer97,
    'unknown_id': answer199,
    'no_free_slot': answer197,
    'per_session': answer10,
    'internal_error': answer11,
    'unavailable': answer12,
  },
  listUsage: {
    'last_page': answer206,
    'with_next_page': answer207,
    'none': answer165,
    'unknown_parameter': answer208,
    'no_such_day': answer209,
    'days_reversed': answer210,
    'foreign_cursor': answer9,
    'session_ended': answer94,
    'key_not_taken': answer152,
    'per_session': answer10,
    'internal_error': answer11,
    'unavailable': answer12,
  },
  exportUsage: {
    'month': answer211,
    'none': answer212,
    'unknown_parameter': answer208,
    'no_such_day': answer209,
    'days_reversed': answer210,
    'foreign_cursor': answer9,
    'session_ended': answer94,
    'key_not_taken': answer152,
    'per_session': answer10,
    'internal_error': answer11,
    'unavailable': answer12,
  },
  readBalance: {
    'limited_key': answer213,
    'session': answer214,
    'unknown_parameter': answer151,
    'foreign_cursor': answer9,
    'missing': answer88,
    'malformed_or_unknown': answer89,
    'expired': answer90,
    'revoked': answer91,
    'paused': answer92,
    'account_suspended': answer93,
    'session_ended': answer94,
    'missing_scope': answer215,
    'foreign_origin': answer97,
    'per_key': answer10,
    'failed_credentials': answer102,
    'internal_error': answer11,
    'unavailable': answer12,
  },
  readUsage: {
    'last_page': answer206,
    'with_next_page': answer207,
    'none': answer165,
    'unknown_parameter': answer208,
    'no_such_day': answer209,
    'days_reversed': answer210,
    'foreign_cursor': answer9,
    'missing': answer88,
    'malformed_or_unknown': answer89,
    'expired': answer90,
    'revoked': answer91,
    'paused': answer92,
    'account_suspended': answer93,
    'session_ended': answer94,
    'missing_scope': answer215,
    'foreign_origin': answer97,
    'per_key': answer10,
    'failed_credentials': answer102,
    'internal_error': answer11,
    'unavailable': answer12,
  },
  listReceipts: {
    'with_next_page': answer216,
    'last_page': answer217,
    'empty': answer165,
    'limit_out_of_range': answer6,
    'unknown_state': answer218,
    'no_such_day': answer209,
    'days_reversed': answer210,
    'foreign_cursor': answer9,
    'missing': answer88,
    'malformed_or_unknown': answer89,
    'expired': answer90,
    'revoked': answer91,
    'paused': answer92,
    'account_suspended': answer93,
    'session_ended': answer94,
    'per_key': answer10,
    'failed_credentials': answer102,
    'internal_error': answer11,
    'unavailable': answer12,
  },
  getReceipt: {
    'settled': answer219,
    'failed': answer220,
    'under_way': answer221,
    'malformed_id': answer222,
    'missing': answer88,
    'malformed_or_unknown': answer89,
    'expired': answer90,
    'revoked': answer91,
    'paused': answer92,
    'account_suspended': answer93,
    'session_ended': answer94,
    'unknown_receipt': answer223,
    'per_key': answer10,
    'failed_credentials': answer102,
    'internal_error': answer11,
    'unavailable': answer12,
  },
};
