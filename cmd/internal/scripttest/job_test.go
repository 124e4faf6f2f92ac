package scripttest

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"gopkg.in/yaml.v3"
)

// job is what scripts/kubernetes/job.yaml may say: batch/v1 as far as it is used.
type job struct {
	APIVersion string `yaml:"apiVersion"`
	Kind       string
	Metadata   struct{ Name string }
	Spec       struct {
		CompletionMode        string `yaml:"completionMode"`
		Completions           int
		Parallelism           int
		MaxFailedIndexes      int                           `yaml:"maxFailedIndexes"`
		BackoffLimitPerIndex  int                           `yaml:"backoffLimitPerIndex"`
		ActiveDeadlineSeconds int                           `yaml:"activeDeadlineSeconds"`
		PodReplacementPolicy  string                        `yaml:"podReplacementPolicy"`
		PodFailurePolicy      struct{ Rules []failureRule } `yaml:"podFailurePolicy"`
		Template              struct{ Spec podSpec }
	}
}

type failureRule struct {
	Action          string
	OnPodConditions []struct{ Type string } `yaml:"onPodConditions"`
	OnExitCodes     struct {
		ContainerName string `yaml:"containerName"`
		Operator      string
		Values        []int
	} `yaml:"onExitCodes"`
}

type podSpec struct {
	RestartPolicy                 string      `yaml:"restartPolicy"`
	AutomountServiceAccountToken  bool        `yaml:"automountServiceAccountToken"`
	TerminationGracePeriodSeconds int         `yaml:"terminationGracePeriodSeconds"`
	InitContainers                []container `yaml:"initContainers"`
	Containers                    []container
	Volumes                       []struct {
		Name                  string
		EmptyDir              struct{} `yaml:"emptyDir"`
		PersistentVolumeClaim struct {
			ClaimName string `yaml:"claimName"`
		} `yaml:"persistentVolumeClaim"`
	}
}

type container struct {
	Name, Image   string
	Command, Args []string
	Resources     struct{ Requests map[string]string }
	VolumeMounts  []struct {
		Name      string
		MountPath string `yaml:"mountPath"`
	} `yaml:"volumeMounts"`
}

func readJob(t *testing.T) (j job) {
	t.Helper()
	file, err := os.Open(filepath.Join(projectRoot, "scripts/kubernetes/job.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	strict := yaml.NewDecoder(file)
	strict.KnownFields(true)
	if err := strict.Decode(&j); err != nil {
		t.Fatal(err)
	}
	return j
}

// action is what the Job does about an exit code of gen; "" is counted.
func (j *job) action(code int) string {
	for _, rule := range j.Spec.PodFailurePolicy.Rules {
		on := rule.OnExitCodes
		if on.Operator == "In" && slices.Contains(on.Values, code) && (on.ContainerName == "" || on.ContainerName == "gen") {
			return rule.Action
		}
	}
	return ""
}

// What a server would refuse, or would take and do otherwise than we mean.
func TestJobSays(t *testing.T) {
	j := readJob(t)
	pod := j.Spec.Template.Spec
	for name, is := range map[string]bool{
		"batch/v1 Job":                             j.APIVersion == "batch/v1" && j.Kind == "Job",
		"Indexed":                                  j.Spec.CompletionMode == "Indexed",
		"all indexes finish":                       j.Spec.MaxFailedIndexes == j.Spec.Completions && j.Spec.BackoffLimitPerIndex > 0,
		"Never, as podFailurePolicy needs":         pod.RestartPolicy == "Never",
		"one pod of an index at a time":            j.Spec.PodReplacementPolicy == "Failed",
		"gen is process 1":                         pod.Containers[0].Command[0] == "gen",
		"the API wants a disruption before codes":  j.Spec.PodFailurePolicy.Rules[0].OnPodConditions[0].Type == "DisruptionTarget",
		"a disruption is no failure":               j.Spec.PodFailurePolicy.Rules[0].Action == "Ignore",
		"longer than gen's --grace before SIGKILL": time.Duration(pod.TerminationGracePeriodSeconds)*time.Second > graceOf(t, pod.Containers[0]),
	} {
		if !is {
			t.Errorf("not: %s", name)
		}
	}
	want := map[int]string{75: "Ignore", 143: "Ignore", 1: "FailIndex", 2: "FailIndex", 76: "FailIndex", 3: "", 69: "", 137: ""}
	for code, action := range want {
		if got := j.action(code); got != action {
			t.Errorf("exit code %d: %q, want %q", code, got, action)
		}
	}
	for _, rule := range j.Spec.PodFailurePolicy.Rules {
		if !slices.IsSorted(rule.OnExitCodes.Values) {
			t.Errorf("the API wants sorted values: %v", rule.OnExitCodes.Values)
		}
	}
}

func graceOf(t *testing.T, c container) time.Duration {
	t.Helper()
	grace, err := time.ParseDuration(c.Command[slices.Index(c.Command, "--grace")+1])
	if err != nil {
		t.Fatal(err)
	}
	return grace
}

// testJob does what the pods of the Job would, on a simulated server, and merges.
func testJob(t *testing.T, bin string) {
	j, campaign := readJob(t), t.TempDir()
	if err := copyFile(filepath.Join(projectRoot, "scripts/demo/prompts.jsonl"), filepath.Join(campaign, "prompts.jsonl")); err != nil {
		t.Fatal(err)
	}
	run := func(command ...string) {
		t.Helper()
		cmd := exec.Command("/usr/bin/env", command...)
		cmd.Env = append(os.Environ(), "GORACE="+goRace, "PATH="+bin+":"+os.Getenv("PATH"), "RUN="+campaign+"/run", "PROMPTS="+campaign+"/prompts.jsonl")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", command, err, out)
		}
	}
	pod := j.Spec.Template.Spec
	for index := range j.Spec.Completions {
		here := strings.NewReplacer("$(JOB_COMPLETION_INDEX)", strconv.Itoa(index), "/campaign/", campaign+"/", "/part/", t.TempDir()+"/", "http://server:8000", "sim:?latency=0")
		for _, c := range slices.Concat(pod.InitContainers, pod.Containers) {
			command := slices.Concat(c.Command, c.Args)
			for i := range command {
				command[i] = here.Replace(command[i])
			}
			run(command...)
		}
	}
	run("bash", filepath.Join(projectRoot, "scripts/slurm/merge.sbatch"), "--allow", "simulated")
}
