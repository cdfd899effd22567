//! Which HTTP status goes with which code. One table, and the compiler sees that none is left out.

use clawperator_contract::ErrorCode;

/// The status of an answer that fails with this code.
#[must_use]
pub const fn of(code: ErrorCode) -> u16 {
    use ErrorCode as E;
    match code {
        // What was asked cannot be done by anybody: mend the request.
        E::Usage
        | E::UnknownCommand
        | E::MissingSelector
        | E::InputUnreadable
        | E::ExecutionValidationFailed
        | E::ExecutionActionUnsupported
        | E::InvalidJson
        | E::PayloadInvalid
        | E::MultipleDevicesDeviceIdRequired
        | E::CompileVarsRequired
        | E::CompileVarMissing
        | E::CompileVarsParseFailed
        | E::CompileValidationFailed
        | E::SkillIdInvalid
        | E::SkillPathOutside
        | E::RecordingParseFailed
        | E::RecordingSchemaVersionUnsupported
        | E::RecipeInvalid
        | E::RecipeInputMissing
        | E::RecipeInputInvalid
        | E::RecipeInputUnknown
        | E::RecipeUnverified
        | E::RecipeLiteralFound
        | E::RecipeCapabilityUndeclared
        | E::BlockedLiteral
        | E::PolicyInvalid
        | E::UriRefused
        | E::InvalidRegexPattern
        | E::InvalidBody
        | E::MissingExecution
        | E::InvalidDeviceId
        | E::InvalidOperatorPackage
        | E::InvalidPath
        | E::InvalidArgs
        | E::InvalidTimeoutMs
        | E::InvalidExpectContains
        | E::InvalidParameter
        | E::PocketRequestInvalid
        | E::PocketActionIncomplete
        | E::PocketElementUnknown
        | E::PocketConfigInvalid
        | E::PocketPatchRefused
        | E::PocketTextFailed => 400,
        E::Unauthorized => 401,
        // It was understood and is not allowed.
        E::OriginRefused
        | E::RecipePolicyDenied
        | E::PocketDisabled
        | E::PocketCommandRefused
        | E::PocketPathRefused
        | E::PocketHumanToken
        | E::PocketHumanRejected => 403,
        // What was named is not there.
        E::NoDevices
        | E::DeviceNotFound
        | E::DispatchUnknown
        | E::OperatorApkNotFound
        | E::RecordingSessionNotFound
        | E::SkillNotFound
        | E::ArtifactNotFound
        | E::EmulatorNotFound
        | E::EmulatorNotRunning
        | E::AppNotFound
        | E::RouteNotFound
        | E::PocketHumanUnknown
        | E::PocketSessionUnknown => 404,
        E::MethodNotAllowed => 405,
        E::RequestTimedOut => 408,
        // It does not go with how things are now.
        E::ExecutionCancelled
        | E::DispatchIdTaken
        | E::DeviceNotInteractive
        | E::ScreenLocked
        | E::RecordingAlreadyInProgress
        | E::RecordingNotInProgress
        | E::SkillAlreadyExists
        | E::EmulatorAlreadyRunning
        | E::EmulatorUnsupported
        | E::RecipeAppIncompatible
        | E::OperatorVariantMismatch
        | E::VersionIncompatible
        | E::DeviceUnsupported
        | E::PocketStepLimit
        | E::PocketHumanDecided
        | E::PocketStopped => 409,
        E::PayloadTooLarge | E::BodyTooLarge => 413,
        // It was done, and did not come out as it should.
        E::SkillValidationFailed
        | E::SkillScriptNotFound
        | E::SkillExecutionFailed
        | E::SkillOutputAssertionFailed
        | E::SkillResultParseFailed
        | E::SkillVerificationIndeterminate
        | E::SkillsCiFailed
        | E::SkillsHookFailed
        | E::RecipeTargetAmbiguous
        | E::RecipeOutputMissing
        | E::RecipeTestFailed
        | E::VerifyFailed
        | E::RecordingExportFailed
        | E::RecordingCompareFailed
        | E::NodeNotFound
        | E::TargetNotFound
        | E::NodeNotClickable
        | E::NodeStale
        | E::ContainerNotFound
        | E::ContainerNotScrollable
        | E::GestureFailed
        | E::UriNotHandled
        | E::ActionFailed
        | E::SetTextFailed
        | E::NoFocusedField
        | E::ValidatorMismatch
        | E::ValueNodeNotFound
        | E::NavigationTimeout
        | E::GlobalActionFailed
        | E::ScreenshotFailed
        | E::ScreenshotSecureWindow
        | E::ScreenshotRateLimited
        | E::UnsupportedRuntimeClose
        | E::UnsupportedRuntimeScreenshot
        | E::PocketCommandFailed
        | E::PocketFileFailed
        | E::SecurityBlockDetected => 422,
        E::ExecutionConflictInFlight => 423,
        // The computer the server runs on lacks something the request needs.
        E::AdbNotFound
        | E::RegistryReadFailed
        | E::SkillsGitNotFound
        | E::SkillInterpreterMissing
        | E::SkillAgentCliUnavailable
        | E::AndroidSdkToolMissing
        | E::HostDependencyMissing
        | E::NodeTooOld
        | E::ScrcpyNotFound => 424,
        E::QueueFull => 429,
        // The server itself failed.
        E::OutputUnwritable
        | E::Unknown
        | E::InternalError
        | E::InternalServerError
        | E::SimulatorFailed
        | E::CliVersionInvalid
        | E::SkillsScaffoldFailed
        | E::AndroidBuildFailed
        | E::DoctorFailed => 500,
        E::NotImplemented => 501,
        // The phone, its operator or a tool answered badly.
        E::DeviceShellUnavailable
        | E::AdbServerFailed
        | E::AdbNoUsbPermissions
        | E::OperatorInstallFailed
        | E::OperatorGrantFailed
        | E::OperatorVerifyFailed
        | E::GrantDevicePermissionsFailed
        | E::ApkVersionUnreadable
        | E::ApkVersionInvalid
        | E::ResultEnvelopeMalformed
        | E::BroadcastFailed
        | E::LogcatUnavailable
        | E::SnapshotExtractionFailed
        | E::DispatchOutcomeUnknown
        | E::LinkProtocolError
        | E::RecordingStorageUnavailable
        | E::RecordingStartFailed
        | E::RecordingStopFailed
        | E::RecordingPullFailed
        | E::SkillsSyncFailed
        | E::AndroidSystemImageInstallFailed
        | E::AndroidAvdCreateFailed
        | E::EmulatorCreateFailed
        | E::EmulatorStartFailed
        | E::EmulatorStopFailed
        | E::EmulatorDeleteFailed
        | E::AndroidInstallFailed
        | E::AndroidAppLaunchFailed
        | E::SmokeOpenSettingsFailed => 502,
        // The phone or its operator is not ready; it may be later.
        E::DeviceUnauthorized
        | E::DeviceOffline
        | E::DeviceAccessibilityNotRunning
        | E::DeviceDevOptionsDisabled
        | E::DeviceUsbDebuggingDisabled
        | E::OperatorNotInstalled
        | E::LinkUnavailable
        | E::ServiceUnavailable
        | E::RecordingUnavailable
        | E::PocketHumanUnavailable
        | E::AddressUnavailable
        | E::ShuttingDown => 503,
        E::ResultEnvelopeTimeout
        | E::ExecutionTimeout
        | E::SkillExecutionTimeout
        | E::EmulatorBootTimeout
        | E::PocketHumanTimeout => 504,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_a_status_of_a_failure() {
        for code in ErrorCode::ALL {
            let status = of(*code);
            assert!((400..600).contains(&status), "{code}: {status}");
        }
    }

    #[test]
    fn what_callers_branch_on_most_has_the_status_it_is_known_for() {
        for (code, status) in [
            (ErrorCode::ExecutionValidationFailed, 400),
            (ErrorCode::Unauthorized, 401),
            (ErrorCode::OriginRefused, 403),
            (ErrorCode::DeviceNotFound, 404),
            (ErrorCode::NoDevices, 404),
            (ErrorCode::EmulatorAlreadyRunning, 409),
            (ErrorCode::PayloadTooLarge, 413),
            (ErrorCode::ExecutionConflictInFlight, 423),
            (ErrorCode::QueueFull, 429),
            (ErrorCode::OperatorNotInstalled, 503),
            (ErrorCode::ResultEnvelopeTimeout, 504),
        ] {
            assert_eq!(of(code), status, "{code}");
        }
    }
}
