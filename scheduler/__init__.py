"""Where a job should stand on the HyperNode tree. Knows trees and pods; knows no probe and no cable."""
